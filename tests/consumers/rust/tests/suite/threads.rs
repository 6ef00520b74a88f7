//! Several threads call at once, failing calls included.

use ctorch::{aten, ErrorKind, Tensor};

fn is_send_and_sync<T: Send + Sync>() {}

#[test]
fn handles_may_be_shared() {
    is_send_and_sync::<Tensor>();
    is_send_and_sync::<ctorch::TensorList>();
    is_send_and_sync::<ctorch::Error>();
}

#[test]
fn each_thread_gets_its_own_error() {
    let shared = aten::ones(&[3]).call().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8i64 {
            let shared = &shared;
            scope.spawn(move || {
                for round in 0..500 {
                    let size = 1000 * (thread + 1) + round;
                    let error = aten::add_tensor(shared, &aten::ones(&[size]).call().unwrap()).call().unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::SHAPE_MISMATCH);
                    assert!(error.message().contains(&format!("({})", size)), "{} {}", size, error.message());
                    assert_eq!((shared + thread).to_vec::<f32>().unwrap(), [thread as f32 + 1.0; 3]);
                }
            });
        }
    });
}
