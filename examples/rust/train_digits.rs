//! Train a small convolutional network, in the manner of LeNet (LeCun et al. 1998), on handwritten digits: the program
//! of examples/train_digits.c in Rust. The same options give the same losses, to the last digit.

use std::io::Write;

use ctorch::{aten, nn, no_grad, optim, Dtype, Module, Optimizer, Tensor};

type Error = Box<dyn std::error::Error>;
type Result<T> = std::result::Result<T, Error>;

const CLASSES: i64 = 10;
const IMAGE_SIZE: i64 = 8;
const MOMENTUM: f64 = 0.9;
const WEIGHT_DECAY: f64 = 1e-3;
const DISTORTION: f64 = 0.2;

struct Options {
    epochs: i64,
    batch_size: i64,
    lr: f64,
    seed: u64,
    threads: i32,
    data: String,
    losses: Option<String>,
}

fn options() -> Result<Options> {
    let data = "examples/data".to_string();
    let mut options = Options { epochs: 30, batch_size: 32, lr: 0.05, seed: 0, threads: 1, data, losses: None };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().ok_or_else(|| format!("{} needs a value", name))?;
        match name.as_str() {
            "--epochs" => options.epochs = value.parse()?,
            "--batch-size" => options.batch_size = value.parse()?,
            "--lr" => options.lr = value.parse()?,
            "--seed" => options.seed = value.parse()?,
            "--threads" => options.threads = value.parse()?,
            "--data" => options.data = value,
            "--losses" => options.losses = Some(value),
            _ => return Err(format!("unknown option {}", name).into()),
        }
    }
    Ok(options)
}

struct Digits {
    images: Tensor, // (N, 1, 8, 8), 0 to 1
    labels: Tensor, // (N)
    count: i64,
}

/// An IDX file of bytes: 00 00 08, the number of dimensions, each as four big-endian bytes, then the elements.
fn idx(path: &str, ndim: usize) -> Result<Tensor> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {}", path, error))?;
    let start = 4 + 4 * ndim;
    if bytes.len() < start || bytes[..4] != [0, 0, 8, ndim as u8] {
        return Err(format!("{}: no IDX file of bytes with {} dimensions", path, ndim).into());
    }
    let sizes = bytes[4..start].chunks(4).map(|b| i64::from(u32::from_be_bytes([b[0], b[1], b[2], b[3]])));
    Ok(Tensor::from_slice(&bytes[start..], &sizes.collect::<Vec<_>>())?)
}

impl Digits {
    fn read(folder: &str, part: &str) -> Result<Digits> {
        let images = idx(&format!("{}/{}-images-idx3-ubyte", folder, part), 3)?;
        let labels = idx(&format!("{}/{}-labels-idx1-ubyte", folder, part), 1)?;
        let images = aten::div_scalar(&aten::unsqueeze(&images, 1)?, 16)?;
        Ok(Digits { count: images.size(0)?, images, labels: labels.to_dtype(Dtype::INT64)? })
    }
}

/// Images (N, 1, 8, 8) to a score for each class (N, 10).
fn network() -> Result<Module> {
    let mut net = Module::custom("Network", |net, images| {
        let layer = |name: &str, x: &Tensor| net.get_submodule(name)?.forward(x);
        let x = aten::relu(&layer("conv1", images)?)?;
        let x = aten::relu(&layer("conv2", &x)?)?;
        let x = aten::flatten_using_ints(&aten::max_pool2d(&x, &[2, 2]).call()?).start_dim(1).call()?;
        let x = aten::relu(&layer("fc1", &x)?)?;
        Ok(layer("fc2", &x)?)
    })?;
    net.register_module("conv1", &nn::conv2d(1, 32, &[3]).padding(&[1]).call()?)?;
    net.register_module("conv2", &nn::conv2d(32, 64, &[3]).padding(&[1]).call()?)?;
    net.register_module("fc1", &nn::linear(64 * 4 * 4, 128).call()?)?;
    net.register_module("fc2", &nn::linear(128, CLASSES).call()?)?;
    Ok(net)
}

/// Each image turned, sheared, stretched and shifted a little, anew each time.
fn distort(images: &Tensor) -> Result<Tensor> {
    const BILINEAR: i64 = 0;
    const ZEROS: i64 = 0;
    let count = images.size(0)?;
    let identity = aten::eye_m(2, 3).call()?;
    let mut maps = aten::empty_memory_format(&[count, 2, 3]).call()?;
    aten::uniform_(&mut maps).from(-DISTORTION).to(DISTORTION).call()?;
    maps += &identity;
    let grid = aten::affine_grid_generator(&maps, &[count, 1, IMAGE_SIZE, IMAGE_SIZE], false)?;
    Ok(aten::grid_sampler(images, &grid, BILINEAR, ZEROS, false)?)
}

fn train_step(net: &mut Module, optimizer: &mut Optimizer, train: &Digits, batch: &Tensor) -> Result<f64> {
    let images = distort(&aten::index_select(&train.images, 0, batch)?)?;
    let labels = aten::index_select(&train.labels, 0, batch)?;
    let loss = aten::cross_entropy_loss(&net.forward(&images)?, &labels).call()?;
    optimizer.zero_grad(true)?;
    loss.backward()?;
    optimizer.step()?;
    Ok(loss.item_double()?)
}

/// One pass over the images in a new order; gives the mean loss.
fn train_epoch(net: &mut Module, optimizer: &mut Optimizer, train: &Digits, batch_size: i64) -> Result<f64> {
    let (mut sum, mut done) = (0.0, 0);
    for batch in &aten::split_tensor(&aten::randperm(train.count).call()?, batch_size).call()? {
        sum += train_step(net, optimizer, train, batch)? * batch.numel() as f64;
        done += batch.numel();
    }
    Ok(sum / done as f64)
}

fn test(net: &mut Module, data: &Digits) -> Result<()> {
    let _guard = no_grad()?;
    let predictions = aten::argmax(&net.forward(&data.images)?).dim(1).call()?;
    let right = aten::sum(&aten::eq_tensor(&predictions, &data.labels)?).call()?.item_int64()?;
    println!("test accuracy {:.2} % ({} of {})", 100.0 * right as f64 / data.count as f64, right, data.count);
    Ok(())
}

/// C's `%.17g`, for numbers that need no exponent.
fn all_digits(x: f64) -> String {
    let exponent: i32 = format!("{:.16e}", x).split('e').nth(1).map_or(0, |e| e.parse().unwrap_or(0));
    let text = format!("{:.*}", (16 - exponent).max(0) as usize, x);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn main() -> Result<()> {
    let options = options()?;
    ctorch::threads_set_num(options.threads)?;
    ctorch::random_manual_seed(options.seed)?;
    let test_data = Digits::read(&options.data, "t10k")?;
    let mut net = network()?;
    let mut parameters = net.parameters(true)?;
    let sgd = optim::sgd(&mut parameters).lr(options.lr).momentum(MOMENTUM).weight_decay(WEIGHT_DECAY);
    let mut optimizer = sgd.call()?;
    let train = Digits::read(&options.data, "train")?;
    let mut losses = options.losses.map(std::fs::File::create).transpose()?;
    for epoch in 0..options.epochs {
        optimizer.set_lr(options.lr * (1.0 - epoch as f64 / options.epochs as f64))?;
        let loss = train_epoch(&mut net, &mut optimizer, &train, options.batch_size)?;
        println!("epoch {:2}/{}  loss {:.4}", epoch + 1, options.epochs, loss);
        if let Some(file) = &mut losses {
            writeln!(file, "{}", all_digits(loss))?;
        }
    }
    test(&mut net, &test_data)
}
