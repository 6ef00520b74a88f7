//! What data_program.py has in Python: a line of numbers for each case.

use std::cell::RefCell;
use std::rc::Rc;

use ctorch::{
    aten, data, datasets, nn, optim, transforms, Dataset, Dtype, Generator, Loader, Module, Native, Result, Snapshots,
    Tensor, Trainer, TrainerEvent, Transform, Values,
};

fn print(name: &str, numbers: &[f64]) {
    println!("{}: {}", name, numbers.iter().map(|n| format!("{:?}", n)).collect::<Vec<_>>().join(" "));
}

fn floats(tensor: &Tensor) -> Result<Vec<f64>> {
    tensor.to_dtype(Dtype::FLOAT64)?.to_vec::<f64>()
}

fn ints(values: Values) -> Result<Vec<f64>> {
    values.map(|index| f64::try_from(index?)).collect()
}

fn generator(seed: u64) -> Result<Generator> {
    let mut generator = Generator::new(None)?;
    generator.manual_seed(seed)?;
    Ok(generator)
}

fn x() -> Result<Tensor> {
    aten::div_scalar(&aten::reshape(&aten::arange(40).dtype(Dtype::FLOAT32).call()?, &[10, 4])?, 8)
}

fn pairs() -> Result<Dataset> {
    data::tensordataset(&[&x()?, &aten::arange(10).call()?])
}

fn labels(loader: &mut Loader) -> Result<Vec<f64>> {
    let mut all = Vec::new();
    for batch in loader {
        let (_, labels): (Tensor, Tensor) = batch?.try_into()?;
        all.extend(floats(&labels)?);
        all.push(-1.0);
    }
    Ok(all)
}

fn orders() -> Result<()> {
    let pairs = pairs()?;
    for workers in [0, 2] {
        ctorch::manual_seed(5)?;
        let mut loader = data::dataloader(&pairs).batch_size(3).shuffle(true).num_workers(workers).call()?;
        print(&format!("shuffled {}", workers), &[labels(&mut loader)?, labels(&mut loader)?].concat());
    }
    let random = data::randomsampler(&pairs).generator(&mut generator(1)?).call()?;
    print("random", &[ints((&random).into_iter())?, ints((&random).into_iter())?].concat());
    let mut drawn = generator(2)?;
    let replaced = data::randomsampler(&pairs).replacement(true).num_samples(7).generator(&mut drawn).call()?;
    print("replaced", &ints((&replaced).into_iter())?);
    let weighted = data::weightedrandomsampler(&[0.1, 0.2, 0.3, 0.4], 6).generator(&mut generator(3)?).call()?;
    print("weighted", &ints((&weighted).into_iter())?);
    let subset = data::subsetrandomsampler(&[4, 6, 8, 9]).generator(&mut generator(4)?).call()?;
    print("subset", &ints((&subset).into_iter())?);
    let distributed = data::distributedsampler(&pairs, 3, 1).seed(6).call()?;
    let mut batches = data::batchsampler(&distributed, 3, false)?;
    batches.set_epoch(2)?;
    let mut all = Vec::new();
    for batch in &batches {
        for index in Vec::try_from(batch?)? {
            all.push(index.try_into()?);
        }
        all.push(-1.0);
    }
    print("distributed", &all);
    let parts = data::random_split(&pairs, &[7, 3]).generator(&mut generator(7)?).call()?;
    print("split", &[floats(&parts[0])?, floats(&parts[1])?].concat());
    Ok(())
}

fn callbacks() -> Result<()> {
    let squares = Dataset::from_fn(7, |index| Ok((aten::full(&[2], index as f64).call()?, index * index)))?;
    for workers in [0, 2] {
        let mut all = Vec::new();
        for batch in &mut data::dataloader(&squares).batch_size(3).num_workers(workers).call()? {
            let (a, b): (Tensor, Tensor) = batch?.try_into()?;
            all.extend([floats(&a)?, floats(&b)?].concat());
        }
        print(&format!("callback {}", workers), &all);
    }
    Ok(())
}

fn images(folder: &str) -> Result<()> {
    let image = aten::reshape(&aten::arange(3 * 8 * 8).dtype(Dtype::UINT8).call()?, &[3, 8, 8])?;
    let (crop, flip) = (transforms::randomcrop(&[4, 4]).call()?, transforms::randomhorizontalflip().call()?);
    let both = transforms::compose(&[&crop, &flip, &transforms::todtype(Dtype::FLOAT32).scale(true).call()?])?;
    let (mut drawn, mut all) = (generator(8)?, Vec::new());
    for _ in 0..3 {
        all.extend(floats(&both.call_tensor(&image, &mut drawn)?)?);
    }
    print("transformed", &all);

    let noisy = Transform::from_fn("Noisy", |input, generator| {
        let noise = aten::rand_generator(&[3]).generator(generator).call()?;
        Ok(Tensor::try_from(input)?.try_add(&noise)?)
    })?;
    let row = image.index((0, 0, ..3))?;
    let (mut drawn, mut all) = (generator(9)?, Vec::new());
    for _ in 0..3 {
        all.extend(floats(&Tensor::try_from(noisy.call(row.clone(), &mut drawn)?)?)?);
    }
    print("noisy", &all);

    let mut all = Vec::new();
    for sample in &datasets::imagefolder(&format!("{}/images", folder)).call()? {
        let (pixels, label): (Tensor, i64) = sample?.try_into()?;
        all.extend(floats(&pixels)?);
        all.push(label as f64);
    }
    print("folder", &all);
    Ok(())
}

#[derive(Default)]
struct Run<'a> {
    epochs: i64,
    snapshots: Option<&'a str>,
    own_step: bool,
}

/// The losses, and the history as numbers.
fn train(run: Run) -> Result<(Vec<f64>, Vec<f64>)> {
    ctorch::manual_seed(1)?;
    let (linear, output) = (nn::linear(4, 8).call()?, nn::linear(8, 3).call()?);
    let mut model = nn::sequential()?;
    for part in [&linear, &nn::tanh()?, &output] {
        model.append(part)?;
    }
    let mut optimizer = optim::sgd(&mut model.parameters(true)?).lr(0.1).momentum(0.9).foreach(false).call()?;
    let (x, y) = (x()?, aten::remainder_scalar(&aten::arange(10).call()?, 3)?);
    let mut loader = data::dataloader(&data::tensordataset(&[&x, &y])?).batch_size(3).shuffle(true).call()?;
    let some = data::tensordataset(&[&x.index((..4,))?, &y.index((..4,))?])?;
    let mut validation = data::dataloader(&some).batch_size(2).call()?;

    let mut trainer = Trainer::new(&mut model, &mut optimizer)?;
    trainer.set_length(run.epochs, 0)?;
    trainer.set_validation(&mut validation, 0)?;
    if run.own_step {
        trainer.set_step(|_, model: &mut Module, batch| {
            let (inputs, targets): (Tensor, Tensor) = batch.try_into()?;
            Ok(aten::cross_entropy_loss(&model.forward(&inputs)?, &targets).call()?)
        })?;
    } else {
        trainer.set_loss(&mut nn::crossentropyloss().call()?)?;
        trainer.add_metric("accuracy", |output, batch| {
            let (output, (_, targets)): (Tensor, (Tensor, Tensor)) = (output.try_into()?, batch.try_into()?);
            let hits = aten::eq_tensor(&aten::argmax(&output).dim(1).call()?, &targets)?;
            Ok(aten::mean(&hits).dtype(Dtype::FLOAT64).call()?.item_double()?)
        })?;
    }
    if let Some(folder) = run.snapshots {
        trainer.set_snapshots(&mut Snapshots::open(folder)?, 0, None)?;
    }
    let losses = Rc::new(RefCell::new(Vec::new()));
    let seen = losses.clone();
    trainer.on(TrainerEvent::BATCH_END, move |trainer, _| {
        seen.borrow_mut().push(trainer.loss()?);
        Ok(())
    })?;
    trainer.fit(&mut loader)?;
    let names: &[&str] = if run.own_step { &[] } else { &["loss", "accuracy", "val_loss", "val_accuracy"] };
    let history = trainer.history()?.iter().flat_map(|epoch| names.iter().map(move |name| epoch[*name])).collect();
    let losses = losses.borrow().clone();
    Ok((losses, history))
}

fn trained(folder: &str) -> Result<()> {
    let (losses, history) = train(Run { epochs: 2, ..Run::default() })?;
    print("losses", &losses);
    print("history", &history);
    let snapshots = format!("{}/snapshots", folder);
    train(Run { epochs: 1, snapshots: Some(&snapshots), ..Run::default() })?;
    print("resumed", &train(Run { epochs: 2, snapshots: Some(&snapshots), ..Run::default() })?.0);
    print("step", &train(Run { epochs: 2, own_step: true, ..Run::default() })?.0);
    Ok(())
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).expect("data <folder>");
    orders()?;
    callbacks()?;
    images(&folder)?;
    trained(&folder)?;
    let native = Native::Transform(transforms::identity()?);
    assert_eq!(native, ctorch::Value::from_native(&native)?.to_native()?);
    drop(native);
    println!("{} live handles", ctorch::debug_live_handles());
    Ok(())
}
