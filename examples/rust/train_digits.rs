//! Train a small convolutional network, in the manner of LeNet (LeCun et al. 1998), on handwritten digits: the program
//! of examples/train_digits.c in Rust. The same options give the same losses, to the last digit.

use std::io::Write;

use ctorch::{data, datasets, lr_scheduler, nn, optim, transforms, Dtype, Loader, Module, Trainer, TrainerProgress};

type Error = Box<dyn std::error::Error>;
type Result<T> = std::result::Result<T, Error>;

const CLASSES: i64 = 10;

struct Options {
    epochs: i64,
    batch_size: i64,
    lr: f64,
    seed: u64,
    threads: i32,
    workers: i64,
    data: String,
    losses: Option<String>,
}

fn options() -> Result<Options> {
    let data = "examples/data".to_string();
    let mut options =
        Options { epochs: 30, batch_size: 32, lr: 0.05, seed: 0, threads: 1, workers: 0, data, losses: None };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().ok_or_else(|| format!("{} needs a value", name))?;
        match name.as_str() {
            "--epochs" => options.epochs = value.parse()?,
            "--batch-size" => options.batch_size = value.parse()?,
            "--lr" => options.lr = value.parse()?,
            "--seed" => options.seed = value.parse()?,
            "--threads" => options.threads = value.parse()?,
            "--workers" => options.workers = value.parse()?,
            "--data" => options.data = value,
            "--losses" => options.losses = Some(value),
            _ => return Err(format!("unknown option {}", name).into()),
        }
    }
    Ok(options)
}

/// Images (N, 1, 8, 8) to a score for each class (N, 10).
fn network() -> Result<Module> {
    let relu = nn::relu().inplace(true).call()?; // one for all three places: it has no parameters
    let layers = [
        ("conv1", &nn::conv2d(1, 32, &[3]).padding(&[1]).call()?),
        ("relu1", &relu),
        ("conv2", &nn::conv2d(32, 64, &[3]).padding(&[1]).call()?),
        ("relu2", &relu),
        ("pool", &nn::maxpool2d(&[2]).call()?),
        ("flatten", &nn::flatten().call()?),
        ("fc1", &nn::linear(64 * 4 * 4, 128).call()?),
        ("relu3", &relu),
        ("fc2", &nn::linear(128, CLASSES).call()?),
    ];
    let mut net = nn::sequential()?;
    for (name, layer) in layers {
        net.register_module(name, layer)?;
    }
    Ok(net)
}

/// Batches of a part of the data; in training each image turned, shifted, stretched and sheared a little, anew each time.
fn batches(options: &Options, part: &str) -> Result<Loader> {
    let training = part == "train";
    let affine = transforms::randomaffine(&[10.0])
        .translate(&[0.1, 0.1])
        .scale(&[0.85, 1.15])
        .shear(&[10.0])
        .interpolation("bilinear")
        .call()?;
    let to_float = transforms::todtype(Dtype::FLOAT32).call()?;
    let to_one = transforms::normalize(&[0.0], &[16.0]).call()?; // from 0 to 1
    let all = transforms::compose(&[&to_float, &to_one, &affine][..if training { 3 } else { 2 }])?;

    let file = |kind: &str| format!("{}/{}-{}-ubyte", options.data, part, kind);
    let digits = datasets::idxfile(&file("images-idx3"), &file("labels-idx1")).transform(&all).call()?;
    let loader = data::dataloader(&digits).batch_size(options.batch_size).shuffle(training);
    Ok(loader.num_workers(options.workers).call()?)
}

/// C's `%.17g`, for numbers that need no exponent.
fn all_digits(x: f64) -> String {
    let exponent: i32 = format!("{:.16e}", x).split('e').nth(1).map_or(0, |e| e.parse().unwrap_or(0));
    let text = format!("{:.*}", (16 - exponent).max(0) as usize, x);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn main() -> Result<()> {
    let options = options()?;
    ctorch::set_num_threads(options.threads)?;
    ctorch::manual_seed(options.seed)?;
    let mut net = network()?;
    let mut parameters = net.parameters(true)?;
    let mut optimizer = optim::sgd(&mut parameters).lr(options.lr).momentum(0.9).weight_decay(1e-3).call()?;
    let linear = lr_scheduler::linearlr(&mut optimizer).start_factor(1.0).end_factor(0.0);
    let mut scheduler = linear.total_iters(options.epochs).call()?;

    let mut trainer = Trainer::new(&mut net, &mut optimizer)?;
    trainer.set_loss(&mut nn::crossentropyloss().call()?)?;
    trainer.add_accuracy()?;
    trainer.set_lr_scheduler(&mut scheduler, false, None)?;
    trainer.set_length(options.epochs, 0)?;
    trainer.set_progress(TrainerProgress::AUTO)?;
    trainer.fit(&mut batches(&options, "train")?)?;

    let metrics = trainer.evaluate(&mut batches(&options, "t10k")?)?;
    println!("test loss {:.4}, accuracy {:.2} %", metrics["loss"], 100.0 * metrics["accuracy"]);
    if let Some(path) = options.losses {
        let mut file = std::fs::File::create(path)?;
        for epoch in trainer.history()? {
            writeln!(file, "{}", all_digits(epoch["loss"]))?;
        }
    }
    Ok(())
}
