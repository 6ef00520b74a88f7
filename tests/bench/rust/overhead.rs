//! Cost of a call from Rust, beside tests/languages/c/overhead.c: a line for each case, `name ns`, best of 5 rounds.

use std::time::Instant;

use ctorch::{aten, Tensor};

fn bench(name: &str, calls: u32, mut call: impl FnMut()) {
    for _ in 0..calls / 10 {
        call();
    }
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(calls));
    }
    println!("{} {:.1}", name, best);
}

/// Keeps the optimizer from leaving out what makes a value (`std::hint::black_box` is newer than Debian's Rust).
fn used<T>(value: T) {
    unsafe { std::ptr::read_volatile(&&value) };
}

fn main() -> ctorch::Result<()> {
    ctorch::threads_set_num(1)?;
    let _guard = ctorch::no_grad()?;
    let a = Tensor::from_slice(&[1.0f32; 8], &[8])?;
    let b = Tensor::from_slice(&[2.0f32; 8], &[8])?;
    let four = [&a, &b, &a, &b];
    bench("version", 10_000_000, || used(ctorch::version()));
    bench("size", 10_000_000, || used(a.size(0).unwrap()));
    bench("add", 1_000_000, || used(aten::add_tensor(&a, &b).call().unwrap()));
    bench("cat", 500_000, || used(aten::cat(&four).call().unwrap()));
    Ok(())
}
