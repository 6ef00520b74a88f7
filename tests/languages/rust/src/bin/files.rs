//! Files: reads those that Python wrote to the first folder, and writes those that Python reads to the second one;
//! file_exchange.py tells what is in them. With CTORCH_DEBUG_HANDLES=1 nothing is left over.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Cursor, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ctorch::*;

type Test = std::result::Result<(), Box<dyn std::error::Error>>;

fn sample() -> Result<Vec<(&'static str, Tensor)>> {
    let weight = Tensor::from_slice(&[0.0f32, 0.25, 0.5, 0.75, 1.0, 1.25], &[2, 3])?;
    let half = Tensor::from_slice(&[1.0f32, -0.5], &[2])?.to_dtype(Dtype::BFLOAT16)?;
    Ok(vec![("weight", weight), ("half", half), ("count", Tensor::from_slice(&[7i64], &[])?)])
}

fn state() -> Result<Native> {
    Ok(Native::Dict(vec![
        ("weight".into(), sample()?.remove(0).1.into()),
        ("step".into(), 7.into()),
        ("rate".into(), 0.5.into()),
        ("name".into(), "net".into()),
        ("flags".into(), Native::List(vec![true.into(), ().into()])),
        ("pair".into(), Native::Tuple(vec![1.into(), "x".into()])),
    ]))
}

fn same(a: &Tensor, b: &Tensor) -> bool {
    a.dtype() == b.dtype() && aten::equal(a, b).unwrap()
}

/// A state but for its first entry, the weight, and that one.
fn parts(state: Native) -> (Tensor, Native) {
    match state {
        Native::Dict(mut entries) => match entries.remove(0) {
            (_, Native::Tensor(weight)) => (weight, Native::Dict(entries)),
            other => panic!("{:?}", other),
        },
        other => panic!("{:?}", other),
    }
}

fn assert_state(read: Native) -> Test {
    let ((weight, rest), (expected_weight, expected_rest)) = (parts(read), parts(state()?));
    assert_eq!(rest, expected_rest);
    assert!(same(&weight, &expected_weight));
    Ok(())
}

fn assert_sample<K: AsRef<str>>(tensors: &[(K, Tensor)]) -> Test {
    let found: HashMap<&str, &Tensor> = tensors.iter().map(|(name, tensor)| (name.as_ref(), tensor)).collect();
    assert_eq!(found.len(), 3);
    for (name, tensor) in sample()? {
        assert!(same(found[name], &tensor), "{}", name);
    }
    Ok(())
}

fn a_named_tuple_keeps_its_names(given: &str) -> Test {
    let names = fs::read_to_string(format!("{}/named.txt", given))?;
    let model = jit_load_file(&format!("{}/named.pt", given), None)?;
    let input = Value::from_tensor(&Tensor::from_slice(&[1f32, 2.0], &[2])?)?;
    let value = model.call(None, &[&input], None)?;
    let native = value.to_native()?;
    let found = match &native {
        Native::NamedTuple(found) => found,
        other => panic!("{:?}", other),
    };
    assert_eq!(names.lines().collect::<Vec<_>>(), [&*found.name, &found.fields[0], &found.fields[1]]);
    assert_eq!(found.get("logits"), Some(&found.entries[0]));
    assert_eq!((found.get("count"), found.get("x")), (Some(&Native::Int(3)), None));
    assert_eq!(value.field("count")?.to_int()?, 3);
    assert!(matches!(Value::from_native(&native)?.to_native()?, Native::Tuple(_)));
    let (logits, count): (Tensor, i64) = native.try_into()?;
    assert_eq!((logits.to_vec::<f32>()?, count), (vec![2.0, 4.0], 3));
    Ok(())
}

fn load_as_python_saved(given: &str) -> Test {
    for name in ["state.pt", "legacy.pt"] {
        let path = format!("{}/{}", given, name);
        assert_state(load(&path).call()?)?;
        assert_state(load(&path).mmap(true).map_location(Device::CPU).call()?)?;
        assert_state(load_from(&Reader::from_bytes(fs::read(&path)?)?).call()?)?;
        assert_state(load_from(&Reader::from_stream(File::open(&path)?)?).call()?)?;
        let places = RefCell::new(Vec::new());
        let loaded = load(&path).map_location_with(|location, device| {
            places.borrow_mut().push((location.to_string(), device));
            Ok(None)
        });
        assert_state(loaded.call()?)?;
        assert_eq!(*places.borrow(), [("cpu".to_string(), Some(Device::CPU))]);
        let meta = Device::META;
        let (weight, _) = parts(load(&path).map_location_with(|_, _| Ok(Some(meta))).call()?);
        assert_eq!(weight.device()?, meta);
    }
    Ok(())
}

fn classes_are_allowed_by_a_closure(given: &str) -> Test {
    let path = format!("{}/unknown.pt", given);
    let error = load(&path).call().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FORMAT);
    assert!(error.message().contains("fractions.Fraction"), "{}", error);
    let mut asked = Vec::new();
    let loaded = load(&path)
        .map_location(Device::CPU)
        .allow(|module, name| {
            asked.push(format!("{}.{}", module, name));
            Ok(true)
        })
        .call()?;
    assert_eq!(asked, ["fractions.Fraction"]);
    match loaded.get(&"third".into()) {
        Some(Native::PythonObject(object)) => assert_eq!((&*object.module, &*object.name), ("fractions", "Fraction")),
        other => panic!("{:?}", other),
    }
    assert_eq!(load(&path).allow(|_, _| Ok(false)).call().unwrap_err().kind(), ErrorKind::FORMAT);
    let error = load(&path).allow(|_, _| Err("never".into())).call().unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::CALLBACK, "never"));
    Ok(())
}

fn weights_of_any_format(given: &str) -> Test {
    let path = format!("{}/model.safetensors", given);
    for weights in [Weights::open_file(&path, true)?, Weights::from_bytes(fs::read(&path)?)?] {
        assert_eq!((weights.format(), weights.len()), ("safetensors", 3));
        let place = weights.find("weight")?;
        assert_eq!((weights.shape(place)?, weights.dtype(place)?), (&[2, 3][..], Dtype::FLOAT32));
        assert_eq!(weights.metadata()?.to_native()?.get(&"by".into()), Some(&"python".into()));
        assert!(same(&weights.tensor("half")?, &sample()?[1].1));
        assert_eq!(weights.slice("weight", &[1, -2], &[2, 3])?.to_vec::<f32>()?, [1.0, 1.25]);
        assert_eq!(weights.names().count(), 3);
        assert_sample(&weights.tensors()?)?;
        assert_eq!(weights.tensor("bias").unwrap_err().kind(), ErrorKind::INDEX);
        assert_eq!(weights.shape(3).unwrap_err().kind(), ErrorKind::INDEX);
    }
    assert_sample(&safetensors::load_file(&path)?)?;
    assert_sample(&safetensors::load(fs::read(&path)?)?)?;
    assert_sample(&sharded::load(&format!("{}/sharded", given))?)?;
    assert!(same(&npy::load_file(&format!("{}/x.npy", given))?, &sample()?[0].1));
    assert!(same(&npy::load(fs::read(format!("{}/x.npy", given))?)?, &sample()?[0].1));
    let path = format!("{}/sample.npz", given);
    for arrays in [npz::load_file(&path)?, npz::load(fs::read(&path)?)?] {
        assert_eq!((&*arrays[0].0, &*arrays[1].0), ("weight", "count"));
        assert!(same(&arrays[1].1, &sample()?[2].1));
    }
    assert_eq!(Weights::open_file(&format!("{}/state.pt", given), false)?.names().next(), Some("weight"));
    Ok(())
}

fn failures_are_errors(given: &str, made: &str) -> Test {
    for name in ["damaged.pt", "damaged.safetensors", "damaged.npz"] {
        let path = format!("{}/{}", given, name);
        for error in [
            Weights::open_file(&path, false).and_then(|file| file.tensors()).unwrap_err(),
            Weights::from_bytes(fs::read(&path)?).and_then(|file| file.tensors()).unwrap_err(),
            load(&path).call().unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::FORMAT, "{}", error);
        }
    }
    let nowhere = format!("{}/nowhere/x.pt", made);
    assert_eq!(load(&nowhere).call().unwrap_err().kind(), ErrorKind::IO);
    assert_eq!(save(1, &nowhere).unwrap_err().kind(), ErrorKind::IO);
    assert_eq!(Weights::open_file(&nowhere, true).unwrap_err().kind(), ErrorKind::IO);
    let twice = sample()?.remove(0).1;
    assert_eq!(safetensors::save([("a", &twice), ("b", &twice)], &[]).unwrap_err().kind(), ErrorKind::RUNTIME);
    let mut writer = Writer::from_function(|_| Err("full".into()))?;
    let error = save_to(&mut writer, state()?, SaveFlags(0)).and_then(|()| writer.finish()).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::CALLBACK, "full"));
    let reader = Reader::from_function(100, |_, _| Err("gone".into()))?;
    assert_eq!(load_from(&reader).call().unwrap_err().message(), "gone");
    let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let panics =
            |_, _: &mut [u8]| -> std::result::Result<(), BoxError> { std::panic::resume_unwind(Box::new("oh")) };
        load_from(&Reader::from_function(100, panics).unwrap()).call()
    }));
    assert_eq!(panics.unwrap_err().downcast_ref::<&str>(), Some(&"oh"));
    let mut bytes = Cursor::new(fs::read(format!("{}/state.pt", given))?);
    let mut reader = Reader::from_stream(std::mem::take(&mut bytes))?;
    reader.set_progress(|_| Err("stop".into()))?;
    assert_eq!(load_from(&reader).call().unwrap_err().message(), "stop");
    Ok(())
}

/// A stream that others see as well.
#[derive(Clone)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(data)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn write_what_python_reads(made: &str) -> Test {
    let at = |name: &str| format!("{}/{}", made, name);
    save(state()?, &at("state.pt"))?;
    let bytes = save_to_bytes(state()?)?;
    fs::write(at("bytes.pt"), &bytes)?;
    let shared = Shared(Default::default());
    let told = Arc::new(AtomicUsize::new(0));
    let mut writer = Writer::from_stream(shared.clone())?;
    let heard = told.clone();
    writer.set_progress(move |nbytes| {
        heard.store(nbytes, Ordering::SeqCst);
        Ok(())
    })?;
    save_to(&mut writer, state()?, SaveFlags(0))?;
    writer.finish()?;
    assert_eq!(*shared.0.lock().unwrap(), bytes);
    assert_eq!(told.load(Ordering::SeqCst), bytes.len());
    assert!(writer.to_bytes().is_empty());
    assert!(writer.write_all(b"more").is_err());
    let by = [("by", "consumer")];
    safetensors::save_file(sample()?, &at("model.safetensors"), &by)?;
    fs::write(at("bytes.safetensors"), safetensors::save(sample()?, &by)?)?;
    let mut linear = nn::linear(3, 2).call()?;
    for parameter in linear.parameters(true)?.iter() {
        let _guard = no_grad()?;
        aten::zero_(&mut parameter.clone())?;
    }
    safetensors::save_model(&mut linear, &at("linear.safetensors"), &[])?;
    let mut other = nn::linear(3, 2).call()?;
    assert_eq!(safetensors::load_model(&mut other, &at("linear.safetensors"), true)?, (vec![], vec![]));
    assert_eq!(other.parameters(true)?[0].to_vec::<f32>()?, [0.0; 6]);
    let mut larger = nn::bilinear(3, 3, 2).call()?;
    assert_eq!(
        safetensors::load_model(&mut larger, &at("linear.safetensors"), true).unwrap_err().kind(),
        ErrorKind::RUNTIME
    );
    let sample = sample()?;
    npy::save_file(&sample[0].1, &at("x.npy"))?;
    fs::write(at("bytes.npy"), npy::save(&sample[0].1)?)?;
    let arrays = || [(sample[0].0, &sample[0].1), (sample[2].0, &sample[2].1)];
    npz::save_file(arrays(), true, &at("sample.npz"))?;
    fs::write(at("bytes.npz"), npz::save(arrays(), true)?)?;
    fs::create_dir(at("sharded"))?;
    sharded::save(sample, &at("sharded"), "safetensors", 24, &[])?;
    Ok(())
}

struct Run {
    model: Module,
    optimizer: Optimizer,
    scheduler: LrScheduler,
    snapshots: Snapshots,
    place: Arc<AtomicUsize>,
}

fn start(folder: &str) -> Result<Run> {
    let model = nn::linear(3, 2).call()?;
    let mut optimizer = optim::adamw(&mut model.parameters(true)?).lr(0.1).call()?;
    let scheduler = lr_scheduler::steplr(&mut optimizer, 2).call()?;
    let (place, mut snapshots) = (Arc::new(AtomicUsize::new(0)), Snapshots::open(folder)?);
    let mut run = {
        let (saved, loaded) = (place.clone(), place.clone());
        let save = move || Ok(saved.load(Ordering::SeqCst).into());
        snapshots.add_callback("loader", save, move |state| match state {
            Native::Int(number) => {
                loaded.store(number as usize, Ordering::SeqCst);
                Ok(())
            }
            other => Err(format!("{:?}", other).into()),
        })?;
        Run { model, optimizer, scheduler, snapshots, place }
    };
    run.snapshots.add_module("model", &mut run.model)?;
    run.snapshots.add_optimizer("optimizer", &mut run.optimizer)?;
    run.snapshots.add_lr_scheduler("scheduler", &mut run.scheduler)?;
    run.snapshots.set_keep(1, 1, false)?;
    Ok(run)
}

fn train(run: &mut Run, steps: usize) -> Test {
    for _ in 0..steps {
        let x = aten::randn(&[4, 3]).call()?; // the generator is part of a snapshot
        run.optimizer.zero_grad(true)?;
        aten::sum(&aten::square(&run.model.forward(&x)?)?).call()?.backward()?;
        run.optimizer.step()?;
        run.scheduler.step()?;
        run.place.fetch_add(1, Ordering::SeqCst);
    }
    Ok(())
}

fn a_run_goes_on_where_a_snapshot_was_taken(made: &str) -> Test {
    manual_seed(5)?;
    let folder = format!("{}/run", made);
    let mut first = start(&folder)?;
    assert_eq!(first.snapshots.resume(None)?, (false, 0, 0));
    train(&mut first, 3)?;
    first.snapshots.save(1, 3, Some(0.25))?;
    train(&mut first, 3)?;
    first.snapshots.set_every(4)?;
    assert!(!first.snapshots.step(1, 5, None)?);
    let mut second = start(&folder)?;
    assert_eq!(second.snapshots.resume(Some("best"))?, (true, 1, 3));
    assert_eq!((second.place.load(Ordering::SeqCst), second.scheduler.last_epoch()?), (3, 3));
    train(&mut second, 3)?;
    for (a, b) in first.model.parameters(true)?.iter().zip(second.model.parameters(true)?.iter()) {
        assert!(same(a, b));
    }
    assert_eq!(format!("{:?}", second.snapshots), "Snapshots { steps: [3] }");
    fs::write(format!("{}/snapshot-000000000009.pt", folder), b"no snapshot")?;
    let error = start(&folder)?.snapshots.resume(None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FORMAT);
    let fails = |_| Err("not mine".into());
    second.snapshots.add_callback("other", || Ok(().into()), fails)?;
    assert_eq!(second.snapshots.resume(Some("best")).unwrap_err().kind(), ErrorKind::INDEX);
    second.snapshots.add_callback("failing", || Err("no state".into()), |_| Ok(()))?;
    assert_eq!(second.snapshots.save(1, 10, None).unwrap_err().message(), "no state");
    fs::remove_file(format!("{}/snapshot-000000000009.pt", folder))?;
    Ok(())
}

fn main() -> Test {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    let (given, made) = (&*folders[0], &*folders[1]);
    a_named_tuple_keeps_its_names(given)?;
    load_as_python_saved(given)?;
    classes_are_allowed_by_a_closure(given)?;
    weights_of_any_format(given)?;
    failures_are_errors(given, made)?;
    write_what_python_reads(made)?;
    a_run_goes_on_where_a_snapshot_was_taken(made)?;
    println!("{} live handles", debug_live_handles());
    Ok(())
}
