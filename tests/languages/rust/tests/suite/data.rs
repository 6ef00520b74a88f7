use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::current;

use ctorch::{
    aten, data, nn, optim, transforms, tv_tensors, BoxError, Dataset, Error, ErrorKind, Loader, MapDataset, Native,
    Resumable, Sampler, Tensor, Trainer, TrainerEvent, Transform, TvTensorKind, Value, ValueIterator,
};

fn numbers(len: i64) -> Dataset {
    Dataset::from_fn(len, Ok).unwrap()
}

fn ints(batch: ctorch::Result<Native>) -> Vec<i64> {
    Tensor::try_from(batch.unwrap()).unwrap().to_vec().unwrap()
}

#[test]
fn a_dataset_has_a_length_samples_and_an_order() {
    let squares = Dataset::from_fn(4, |index| Ok(index * index)).unwrap();
    assert_eq!((squares.name(), squares.len().unwrap(), squares.is_iterable()), ("Dataset", 4, false));
    assert_eq!(squares.get(-1).unwrap(), 9.into());
    assert_eq!(squares.get(4).unwrap_err().kind(), ErrorKind::INDEX);
    let all: Vec<Native> = (&squares).into_iter().map(Result::unwrap).collect();
    assert_eq!(all, [0.into(), 1.into(), 4.into(), 9.into()]);
    let last = data::subset(&squares, &[3]).unwrap();
    drop(squares);
    assert_eq!(last.get(0).unwrap(), 9.into());
    assert_eq!(last.attribute("classes").unwrap_err().kind(), ErrorKind::INDEX);
}

#[test]
fn the_workers_of_a_loader_ask_a_dataset_at_once() {
    struct Threads(Mutex<HashSet<std::thread::ThreadId>>);
    impl MapDataset for Threads {
        fn len(&self) -> i64 {
            12
        }
        fn get(&self, index: i64) -> Result<Native, BoxError> {
            self.0.lock().unwrap().insert(current().id());
            std::thread::sleep(std::time::Duration::from_millis(5));
            Ok((aten::full(&[2], index).call()?, "name").into())
        }
    }
    struct Shared(Arc<Threads>);
    impl MapDataset for Shared {
        fn len(&self) -> i64 {
            self.0.len()
        }
        fn get(&self, index: i64) -> Result<Native, BoxError> {
            self.0.get(index)
        }
    }
    let threads = Arc::new(Threads(Mutex::default()));
    let dataset = Dataset::new(Shared(threads.clone())).unwrap();
    let mut loader = data::dataloader(&dataset).batch_size(2).num_workers(2).call().unwrap();
    assert_eq!(loader.len().unwrap(), 6);
    for batch in &mut loader {
        let (rows, names): (Tensor, Vec<Native>) = batch.unwrap().try_into().unwrap();
        assert_eq!((rows.shape(), names), (vec![2, 2], vec!["name".into(), "name".into()]));
    }
    let threads = threads.0.lock().unwrap();
    assert!(threads.len() == 2 && !threads.contains(&current().id()));
}

#[test]
fn a_local_dataset_is_asked_on_its_thread_and_may_hold_tensors() {
    let rows = aten::arange(6).call().unwrap();
    let dataset = Dataset::from_local_fn(6, move |index| Ok(rows.index((index,))?)).unwrap();
    let mut loader = data::dataloader(&dataset).batch_size(4).num_workers(2).call().unwrap();
    let batches: Vec<_> = (&mut loader).into_iter().map(ints).collect();
    assert_eq!(batches, [vec![0, 1, 2, 3], vec![4, 5]]);
    let statistics = loader.statistics().unwrap();
    assert!(statistics.batches == 2 && statistics.consumer_waited > 0.0);
}

#[derive(Debug)]
struct No(i64);

impl std::fmt::Display for No {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no {}", self.0)
    }
}

impl std::error::Error for No {}

#[test]
fn an_error_of_a_sample_comes_in_its_place() {
    for workers in [0, 2] {
        let dataset = Dataset::from_fn(6, |i| if i == 3 { Err(No(i).into()) } else { Ok(i) }).unwrap();
        let mut loader = data::dataloader(&dataset).batch_size(2).num_workers(workers).call().unwrap();
        let batches: Vec<_> = (&mut loader).into_iter().collect();
        assert_eq!(batches.len(), 3);
        let error = batches.into_iter().nth(1).unwrap().unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::CALLBACK, "sample 3: no 3"));
        assert_eq!(error.downcast::<No>().unwrap().0, 3);
    }
}

#[test]
fn a_panic_in_a_worker_goes_on_where_batches_are_taken() {
    let dataset = Dataset::from_fn(4, |i| {
        if i == 2 {
            std::panic::resume_unwind(Box::new("on purpose"));
        }
        Ok(i)
    })
    .unwrap();
    let mut loader = data::dataloader(&dataset).num_workers(1).call().unwrap();
    let taken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| loader.iterate().unwrap().count()));
    assert_eq!(*taken.unwrap_err().downcast::<&str>().unwrap(), "on purpose");
}

#[test]
fn a_payload_is_dropped_once_also_after_leaving_early() {
    struct Counts(Arc<AtomicUsize>);
    impl Drop for Counts {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let dropped = Arc::new(AtomicUsize::new(0));
    for persistent in [false, true] {
        let counts = Counts(dropped.clone());
        let dataset = Dataset::from_fn(100, move |index| {
            let _ = &counts;
            Ok(index)
        })
        .unwrap();
        let mut loader = data::dataloader(&dataset).num_workers(2).persistent_workers(persistent).call().unwrap();
        drop(dataset);
        for batch in &mut loader {
            assert_eq!(ints(batch), [0]);
            break;
        }
        drop(loader);
        assert_eq!(dropped.swap(0, Ordering::SeqCst), 1);
    }
    let counts = Counts(dropped.clone());
    let get = move |index| {
        let _ = &counts;
        Ok(index)
    };
    assert_eq!(Dataset::from_fn(-1, get).unwrap_err().kind(), ErrorKind::INVALID_ARGUMENT);
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
}

#[test]
fn an_iterable_dataset_shares_its_samples_among_workers() {
    let dataset = Dataset::from_iterable(Some(6), || {
        let (first, step) = match Loader::worker_info()? {
            Some(worker) => (worker.id, worker.num_workers as usize),
            None => (0, 1),
        };
        Ok(ValueIterator::new((first..6).step_by(step))?)
    })
    .unwrap();
    assert!(dataset.is_iterable() && Loader::worker_info().unwrap().is_none());
    for (workers, expected) in [(0, [0, 1, 2, 3, 4, 5]), (2, [0, 2, 1, 3, 4, 5])] {
        let mut loader = data::dataloader(&dataset).batch_size(2).num_workers(workers).call().unwrap();
        assert_eq!((&mut loader).into_iter().flat_map(ints).collect::<Vec<_>>(), expected);
    }
    let tensors = vec![aten::ones(&[1]).call().unwrap()];
    let local = Dataset::from_local_iterable(None, move || Ok(ValueIterator::new(tensors.clone())?)).unwrap();
    assert_eq!(local.len().unwrap_err().kind(), ErrorKind::TYPE);
    assert_eq!(data::dataloader(&local).num_workers(1).call().unwrap().iterate().unwrap().count(), 1);
}

#[test]
fn a_sampler_of_ones_own_gives_the_order() {
    let backwards = Sampler::from_fn(Some(4), || Ok(ValueIterator::new((0..4i64).rev())?)).unwrap();
    assert_eq!((backwards.len().unwrap(), backwards.name()), (4, "Sampler"));
    let mut loader = data::dataloader(&numbers(4)).batch_size(3).sampler(&backwards).call().unwrap();
    assert_eq!((&mut loader).into_iter().map(ints).collect::<Vec<_>>(), [vec![3, 2, 1], vec![0]]);
    let lists = || -> [Native; 2] { [Native::List(vec![2.into()]), Native::List(vec![0.into(), 1.into()])] };
    let batches = Sampler::from_fn(None, move || Ok(ValueIterator::new(lists())?)).unwrap();
    let mut loader = data::dataloader(&numbers(4)).batch_sampler(&batches).call().unwrap();
    assert_eq!((&mut loader).into_iter().map(ints).collect::<Vec<_>>(), [vec![2], vec![0, 1]]);
    let fails = Sampler::from_fn(None, || Err("no order".into())).unwrap();
    assert_eq!((&fails).into_iter().next().unwrap().unwrap_err().message(), "no order");
}

#[test]
fn batches_and_workers_are_made_in_ones_own_way() {
    let begun = Arc::new(Mutex::new(Vec::new()));
    let seen = begun.clone();
    let mut loader = data::dataloader(&numbers(5)).batch_size(2).num_workers(2).call().unwrap();
    loader.set_collate(|samples| Ok(Vec::try_from(samples)?.len() as i64)).unwrap();
    loader
        .set_worker_init(move |worker| {
            seen.lock().unwrap().push((worker, Loader::worker_info()?.map(|info| info.id)));
            Ok(())
        })
        .unwrap();
    assert_eq!(loader.iterate().unwrap().map(Result::unwrap).collect::<Vec<_>>(), [2.into(), 2.into(), 1.into()]);
    let mut begun = begun.lock().unwrap();
    begun.sort();
    assert_eq!(*begun, [(0, Some(0)), (1, Some(1))]);

    let places = Rc::new(RefCell::new(Vec::new()));
    let (kept, told) = (places.clone(), places.clone());
    loader
        .set_local_collate(move |samples| {
            kept.borrow_mut().push("batch");
            Ok(samples)
        })
        .unwrap();
    loader
        .set_local_worker_init(move |_| {
            told.borrow_mut().push("worker");
            Ok(())
        })
        .unwrap();
    assert_eq!(loader.iterate().unwrap().count(), 3);
    assert_eq!(places.borrow().iter().filter(|place| **place == "batch").count(), 3);
    assert_eq!(places.borrow().len(), 5);
}

#[test]
fn a_position_is_saved_and_gone_on_from() {
    ctorch::manual_seed(3).unwrap();
    let dataset = numbers(10);
    for workers in [0, 2] {
        let make = || data::dataloader(&dataset).batch_size(2).shuffle(true).num_workers(workers).call().unwrap();
        let mut loader = make();
        let mut batches = loader.iterate().unwrap();
        let first = (ints(batches.next().unwrap()), ints(batches.next().unwrap()));
        let state = batches.state_dict().unwrap();
        let rest: Vec<_> = batches.map(ints).collect();
        assert_eq!((first.0.len(), first.1.len(), rest.len()), (2, 2, 3));
        assert_eq!(make().iterate_from(&state).unwrap().map(ints).collect::<Vec<_>>(), rest);
        let mut other = make();
        let mut again = other.iterate().unwrap();
        again.load_state_dict(&state).unwrap();
        assert_eq!(again.map(ints).collect::<Vec<_>>(), rest);
    }
    assert_eq!(
        data::dataloader(&dataset).call().unwrap().iterate_from(&Value::from_int(1).unwrap()).unwrap_err().kind(),
        ErrorKind::TYPE
    );
}

struct Countdown(i64);

impl Iterator for Countdown {
    type Item = Result<Native, BoxError>;

    fn next(&mut self) -> Option<Result<Native, BoxError>> {
        self.0 -= 1;
        (self.0 >= 0).then_some(Ok(self.0.into()))
    }
}

impl Resumable for Countdown {
    fn state_dict(&self) -> Result<Native, BoxError> {
        Ok(self.0.into())
    }

    fn load_state_dict(&mut self, state: Native) -> Result<(), BoxError> {
        self.0 = state.try_into()?;
        Ok(())
    }
}

#[test]
fn an_iterator_of_ones_own_knows_where_it_is() {
    let mut loader = Loader::from_fn(Some(4), || Ok(ValueIterator::resumable(Countdown(4))?)).unwrap();
    let mut values = loader.iterate().unwrap();
    assert_eq!(values.next().unwrap().unwrap(), 3.into());
    let state = values.state_dict().unwrap();
    let rest: Vec<_> = loader.iterate_from(&state).unwrap().map(Result::unwrap).collect();
    assert_eq!(rest, [2.into(), 1.into(), 0.into()]);
    let plain = ValueIterator::new([1i64, 2]).unwrap();
    assert_eq!(plain.state_dict().unwrap_err().kind(), ErrorKind::UNSUPPORTED);
    let mut broken = ValueIterator::resumable(Countdown(1)).unwrap();
    let error = broken.load_state_dict(&Value::from_bool(true).unwrap()).unwrap_err();
    assert_eq!(error.message(), "expected an int, got Bool(true)");
    let mut fails = ValueIterator::fallible([Err("once".into()), Ok(5.into())].into_iter()).unwrap();
    assert_eq!(fails.next().unwrap().unwrap_err().message(), "once");
    assert_eq!(fails.next().unwrap().unwrap(), 5.into());
    assert!(fails.next().is_none());
}

#[test]
fn a_transform_is_called_printed_and_made_by_name() {
    let flip = transforms::randomhorizontalflip().p(1.0).call().unwrap();
    let image = Tensor::from_slice(&[1.0f32, 2.0], &[1, 1, 2]).unwrap();
    assert_eq!(flip.call_tensor(&image, None).unwrap().to_vec::<f32>().unwrap(), [2.0, 1.0]);
    let by_name = Transform::by_name("RandomHorizontalFlip", &[], &[("p", 1.0.into())]).unwrap();
    assert_eq!((by_name.to_string(), by_name.name()), (flip.to_string(), "RandomHorizontalFlip"));
    let parts = Native::List(vec![flip.clone().into(), by_name.into()]);
    let both = Transform::by_name("Compose", &[parts], &[]).unwrap();
    assert_eq!(both.call_tensor(&image, None).unwrap().to_vec::<f32>().unwrap(), [1.0, 2.0]);
    assert_eq!(
        format!("{:?}", both),
        "Compose(\n      RandomHorizontalFlip(p=1.0)\n      RandomHorizontalFlip(p=1.0)\n)"
    );
    let (pixels, label): (Tensor, i64) = flip.call((image.clone(), 3), None).unwrap().try_into().unwrap();
    assert_eq!((pixels.to_vec::<f32>().unwrap(), label), (vec![2.0, 1.0], 3));
    let boxes = Tensor::from_slice(&[0.0f32, 0.0, 1.0, 1.0], &[1, 4]).unwrap();
    let boxes = tv_tensors::boundingboxes(&boxes, "XYXY", &[1, 2]).call().unwrap();
    let turned = flip.call_tensor(&boxes, None).unwrap();
    assert_eq!((turned.tv_tensor_kind_of(), turned.tv_tensor_format()), (TvTensorKind::BOUNDING_BOXES, "XYXY"));
    assert_eq!(turned.to_vec::<f32>().unwrap(), [1.0, 0.0, 2.0, 1.0]);
    assert_eq!(Transform::by_name("Nothing", &[], &[]).unwrap_err().kind(), ErrorKind::INDEX);
}

#[test]
fn a_transform_of_ones_own_is_one_of_a_dataset() {
    let double = Transform::from_fn("Double", |input, _| Ok(Tensor::try_from(input)?.try_mul(2)?)).unwrap();
    assert!(double.may_thread() && double.to_string() == "Double()");
    let pairs = Dataset::from_fn(4, |index| Ok((aten::full(&[1], index).call()?, index))).unwrap();
    let doubled = data::transformeddataset(&pairs).transform(&double).call().unwrap();
    let mut loader = data::dataloader(&doubled).batch_size(4).num_workers(2).call().unwrap();
    let (rows, targets): (Tensor, Tensor) = loader.iterate().unwrap().next().unwrap().unwrap().try_into().unwrap();
    assert_eq!(rows.to_vec::<i64>().unwrap(), [0, 2, 4, 6]);
    assert_eq!(targets.to_vec::<i64>().unwrap(), [0, 1, 2, 3]);
    let calls = Rc::new(RefCell::new(0));
    let counts = calls.clone();
    let local = Transform::from_local_fn("Local", move |input, _| {
        *counts.borrow_mut() += 1;
        Ok(input)
    })
    .unwrap();
    let counted = data::transformeddataset(&pairs).target_transform(&local).call().unwrap();
    let mut loader = data::dataloader(&counted).num_workers(2).call().unwrap();
    assert!(!local.may_thread() && loader.iterate().unwrap().count() == 4 && *calls.borrow() == 4);
    let fails = Transform::from_fn("Fails", |_, _| -> Result<Native, BoxError> { Err(No(1).into()) }).unwrap();
    assert_eq!(fails.call((), None).unwrap_err().downcast::<No>().unwrap().0, 1);
}

fn trainer() -> (Trainer, Loader) {
    let x = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[4, 1]).unwrap();
    let dataset = data::tensordataset(&[&x, &(&x * 2)]).unwrap();
    let mut model = nn::linear(1, 1).call().unwrap();
    let mut optimizer = optim::sgd(&mut model.parameters(true).unwrap()).lr(0.01).call().unwrap();
    let mut trainer = Trainer::new(&mut model, &mut optimizer).unwrap();
    trainer.set_length(3, 0).unwrap();
    (trainer, data::dataloader(&dataset).batch_size(2).call().unwrap())
}

#[test]
fn a_trainer_calls_its_closures_and_stops() {
    let (mut trainer, mut loader) = trainer();
    assert_eq!(trainer.fit(&mut loader).unwrap_err().kind(), ErrorKind::VALUE); // neither a loss nor a step
    trainer.set_loss(&mut nn::mseloss().call().unwrap()).unwrap();
    trainer
        .add_metric("error", |output, batch| {
            let (_, target): (Tensor, Tensor) = batch.try_into()?;
            let error = aten::abs(&Tensor::try_from(output)?.try_sub(&target)?)?;
            Ok(aten::mean(&error).call()?.item_double()?)
        })
        .unwrap();
    let events = Rc::new(RefCell::new(Vec::new()));
    for event in [TrainerEvent::BEGIN, TrainerEvent::EPOCH_END, TrainerEvent::END] {
        let seen = events.clone();
        trainer
            .on(event, move |trainer, event| {
                seen.borrow_mut().push((event, trainer.step()));
                if trainer.epoch() == 2 {
                    trainer.stop();
                }
                Ok(())
            })
            .unwrap();
    }
    trainer.fit(&mut loader).unwrap();
    let (begin, epoch_end, end) = (TrainerEvent::BEGIN, TrainerEvent::EPOCH_END, TrainerEvent::END);
    assert_eq!(*events.borrow(), [(begin, 0), (epoch_end, 2), (epoch_end, 4), (end, 4)]);
    assert!(trainer.stopped() && trainer.epoch() == 2);
    let history = trainer.history().unwrap();
    assert_eq!((history.len(), history[1]["epoch"], history[1]["step"]), (2, 2.0, 4.0));
    let seen = trainer.evaluate(&mut loader).unwrap();
    assert!(seen["error"] > 0.0 && seen["loss"] < history[0]["loss"]);
}

#[test]
fn an_error_of_a_trainers_closure_ends_the_loop() {
    let (mut trainer, mut loader) = trainer();
    trainer
        .set_step(|trainer, model, batch| {
            if trainer.step() == 3 {
                return Err(No(trainer.step()).into());
            }
            let (x, y): (Tensor, Tensor) = batch.try_into()?;
            Ok(aten::mse_loss(&model.forward(&x)?, &y).call()?)
        })
        .unwrap();
    assert_eq!(trainer.fit(&mut loader).unwrap_err().downcast::<No>().unwrap().0, 3);
    assert_eq!((trainer.step(), trainer.stopped()), (3, false));
    assert!(trainer.loss().unwrap() > 0.0);
}

#[test]
fn values_that_are_something_else_are_errors() {
    let wrong = <(Tensor, i64)>::try_from(Native::List(vec![1.into()])).unwrap_err();
    assert_eq!((wrong.kind(), wrong.message()), (ErrorKind::TYPE, "expected two parts, got List([Int(1)])"));
    let tensor: Native = Tensor::scalar(1.0).unwrap().into();
    assert_eq!(i64::try_from(tensor).unwrap_err().message(), "expected an int, got a tensor");
    assert_eq!(f64::try_from(Native::Int(2)).unwrap(), 2.0);
    let _: Error = bool::try_from(Native::None).unwrap_err();
}

/// The tensor that the closures on this thread keep, and hand out again and again.
fn kept() -> Tensor {
    thread_local!(static KEPT: RefCell<Option<Tensor>> = RefCell::default());
    KEPT.with(|kept| kept.borrow_mut().get_or_insert_with(|| aten::zeros(&[2]).call().unwrap()).clone())
}

/// Changes each of three samples of the loader, of which none may be another one.
fn are_copies(dataset: &Dataset, set: impl FnOnce(&mut Loader)) {
    let mut loader = data::dataloader(dataset).batch_size(0).num_workers(1).call().unwrap();
    set(&mut loader);
    let samples: Vec<Tensor> = (&mut loader).into_iter().map(|x| x.unwrap().try_into().unwrap()).collect();
    assert_eq!(samples.len(), 3);
    for mut sample in samples {
        assert_eq!(sample.to_vec::<f32>().unwrap(), [0.0, 0.0]);
        aten::add__scalar(&mut sample, 1).call().unwrap();
    }
}

#[test]
fn what_a_worker_keeps_is_not_shared() {
    let made = Dataset::from_fn(3, |_| Ok(kept())).unwrap();
    are_copies(&made, |_| ());
    let one_by_one = || Ok(ValueIterator::new((0..3).map(|_| kept()))?);
    are_copies(&Dataset::from_iterable(Some(3), one_by_one).unwrap(), |_| ());
    let transform = Transform::from_fn("Kept", |_, _| Ok(kept())).unwrap();
    are_copies(&data::transformeddataset(&numbers(3)).transform(&transform).call().unwrap(), |_| ());
    are_copies(&numbers(3), |loader| loader.set_collate(|_| Ok(kept())).unwrap());

    let module = Dataset::from_fn(1, |_| Ok(Native::Module(nn::relu().call()?))).unwrap();
    let mut loader = data::dataloader(&module).batch_size(0).num_workers(1).call().unwrap();
    let failure = loader.iterate().unwrap().next().unwrap().unwrap_err();
    assert_eq!(failure.kind(), ErrorKind::TYPE);
    assert!(failure.message().contains("a module stays on its thread"), "{}", failure);
    assert!(matches!(module.get(0).unwrap(), Native::Module(_))); // here it is not a worker that makes it
}
