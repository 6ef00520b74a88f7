//! A GPT, small: it learns a text byte by byte (`gpt TEXT STEPS`, or some sonnets), and then writes one: the program of
//! examples/gpt.c in Rust. The same arguments give the same losses and the same text.

use std::io::{Read, Write};

use ctorch::{aten, no_grad, optim, Optimizer, Tensor};

type Error = Box<dyn std::error::Error>;
type Result<T> = std::result::Result<T, Error>;

const BYTES: i64 = 256;
const CONTEXT: i64 = 64;
const WIDTH: i64 = 64;
const HEADS: i64 = 4;
const BLOCKS: usize = 2;
const BATCH: i64 = 16;
const SAMPLE: usize = 200;
const MOST_BYTES: u64 = 1 << 20; // of the text
const TEMPERATURE: f64 = 0.8;
const TOP_K: i64 = 40;

/// The bytes of a file as int64.
fn read_text(path: &str) -> Result<Tensor> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| format!("{}: {}", path, error))?;
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    let text: Vec<i64> = bytes.into_iter().map(i64::from).collect();
    Ok(Tensor::from_slice(&text, &[text.len() as i64])?)
}

/// Rows of `len` bytes each, (rows, len), from random places of a text.
fn sample(text: &Tensor, rows: i64, len: i64) -> Result<Tensor> {
    let places = aten::randint(text.numel() - len + 1, &[rows, 1]).call()?;
    let places = aten::add_tensor(&places, &aten::arange(len).call()?).call()?;
    Ok(aten::take(text, &places)?)
}

/// One of the classes, (1, 1), drawn by their scores, (1, classes): of the best ones alone, a little sharpened.
fn draw(scores: &Tensor) -> Result<Tensor> {
    let x = aten::div_scalar(scores, TEMPERATURE)?;
    let (best, _) = aten::topk(&x, TOP_K).call()?;
    let worse = aten::lt_tensor(&x, &aten::narrow(&best, 1, TOP_K - 1, 1)?)?;
    let x = aten::masked_fill_scalar(&x, &worse, f64::NEG_INFINITY)?;
    Ok(aten::multinomial(&aten::softmax_int(&x, -1).call()?, 1).call()?)
}

/// In each block qkv, projection, widen and narrow; then the embedding of bytes and that of places.
fn parameters() -> Result<Vec<Tensor>> {
    let block = [[3 * WIDTH, WIDTH], [WIDTH, WIDTH], [4 * WIDTH, WIDTH], [WIDTH, 4 * WIDTH]];
    let mut shapes = block.repeat(BLOCKS);
    shapes.extend([[BYTES, WIDTH], [CONTEXT, WIDTH]]);
    let make = |shape: &[i64; 2]| {
        let mut parameter = aten::randn(shape).call()?;
        aten::mul__scalar(&mut parameter, 0.08)?;
        parameter.set_requires_grad(true)?;
        Ok(parameter)
    };
    shapes.iter().map(make).collect()
}

fn norm(x: &Tensor) -> ctorch::Result<Tensor> {
    aten::layer_norm(x, &[WIDTH]).call()
}

fn linear(x: &Tensor, weight: &Tensor) -> ctorch::Result<Tensor> {
    aten::linear(x, weight).call()
}

/// Scores of the byte after each place: of a batch of texts, (batch, len, BYTES).
fn forward(parameters: &[Tensor], bytes: &Tensor) -> Result<Tensor> {
    let (batch, len) = (bytes.size(0)?, bytes.size(1)?);
    let (blocks, embeddings) = parameters.split_at(4 * BLOCKS);
    let places = aten::narrow(&embeddings[1], 0, 0, len)?;
    let mut x = aten::add_tensor(&aten::embedding(&embeddings[0], bytes).call()?, &places).call()?;
    for block in blocks.chunks(4) {
        let y = aten::view(&linear(&norm(&x)?, &block[0])?, &[batch, len, 3, HEADS, WIDTH / HEADS])?;
        let qkv = aten::unbind_int(&aten::permute(&y, &[2, 0, 3, 1, 4])?).call()?;
        let y = aten::scaled_dot_product_attention(&qkv[0], &qkv[1], &qkv[2]).is_causal(true).call()?;
        let y = aten::reshape(&aten::transpose_int(&y, 1, 2)?, &[batch, len, WIDTH])?;
        x = aten::add_tensor(&x, &linear(&y, &block[1])?).call()?;
        let y = aten::gelu(&linear(&norm(&x)?, &block[2])?).call()?;
        x = aten::add_tensor(&x, &linear(&y, &block[3])?).call()?;
    }
    Ok(linear(&norm(&x)?, &embeddings[0])?)
}

fn train_step(parameters: &[Tensor], optimizer: &mut Optimizer, text: &Tensor) -> Result<f64> {
    let bytes = sample(text, BATCH, CONTEXT + 1)?;
    let targets = aten::narrow(&bytes, 1, 1, CONTEXT)?;
    let scores = forward(parameters, &aten::narrow(&bytes, 1, 0, CONTEXT)?)?;
    let scores = aten::transpose_int(&scores, 1, 2)?; // the classes come second
    let loss = aten::cross_entropy_loss(&scores, &targets).call()?;
    optimizer.zero_grad(true)?;
    loss.backward()?;
    optimizer.step()?;
    Ok(loss.item_double()?)
}

/// Let the model go on after "\n", a byte at a time.
fn write_on(parameters: &[Tensor]) -> Result<()> {
    let _guard = no_grad()?;
    let mut text = Tensor::from_slice(&[i64::from(b'\n')], &[1, 1])?;
    let mut written = Vec::new();
    for _ in 0..SAMPLE {
        let scores = forward(parameters, &text.index((.., -CONTEXT..))?)?;
        let next = draw(&aten::select_int(&scores, 1, -1)?)?;
        written.push(next.item_int64()? as u8);
        text = aten::cat(&[&text, &next]).dim(1).call()?;
    }
    Ok(std::io::stdout().write_all(&written)?)
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_else(|| "examples/data/sonnets.txt".to_string());
    let steps: i64 = args.next().map_or(Ok(200), |steps| steps.parse())?;
    ctorch::threads_set_num(1)?; // the tensors are too small for more
    ctorch::random_manual_seed(1)?;
    let text = read_text(&path)?;
    let mut parameters = parameters()?;
    let adamw = optim::adamw(&mut parameters).lr(3e-3).betas(&[0.9, 0.95]).eps(1e-8).weight_decay(0.1);
    let mut optimizer = adamw.call()?;
    for step in 1..=steps {
        let loss = train_step(&parameters, &mut optimizer, &text)?;
        if step % 50 == 0 || steps < 50 {
            println!("step {}: loss {:.3}", step, loss);
        }
    }
    write_on(&parameters)
}
