//! Rate reviews by the words in them: texts become tokens, tokens a score; how often that is right is counted over
//! batches, and logged for TensorBoard.
//!
//!     rate_reviews tokenizer.json runs/reviews
//!
//! The tokenizer is one of Hugging Face's in lower case, as that of bert-base-uncased.

use ctorch::{aten, metrics, Native, SummaryWriter, Tensor, Tokenizer};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const BATCHES: [[(&str, i64); 3]; 2] = [
    [("A great film, and great fun", 1), ("A bad film", 0), ("Dull and bad", 0)],
    [("Great, not bad", 1), ("Fun for all of us", 1), ("not great", 0)],
];
const LEXICON: [(&str, f32); 4] = [("great", 1.0), ("fun", 1.0), ("bad", -1.0), ("dull", -1.0)];

/// The weight of each token.
fn weights(tokenizer: &Tokenizer) -> Result<Tensor> {
    let mut values = vec![0f32; tokenizer.vocab_size(true)];
    for (word, weight) in LEXICON {
        values[tokenizer.token_to_id(word)? as usize] = weight;
    }
    Ok(Tensor::from_slice(&values, &[values.len() as i64])?)
}

fn run(path: &str, folder: &str) -> Result<()> {
    let mut tokenizer = Tokenizer::open_file(path)?;
    tokenizer.enable_padding(0, 0, "[PAD]", -1, 0, None)?;
    let weight = weights(&tokenizer)?;
    let mut accuracy = metrics::binaryaccuracy().call()?;
    let mut board = SummaryWriter::open(10, 120.0).log_dir(folder).call()?;
    for (step, batch) in (1..).zip(&BATCHES) {
        let (texts, labels): (Vec<&str>, Vec<i64>) = batch.iter().copied().unzip();
        let encodings = tokenizer.encode_batch(&texts, &[], &[], true, 0)?;
        let each = aten::take(&weight, &encodings.tensor("ids", 0)?)?;
        let masked = each.try_mul(&encodings.tensor("attention_mask", 0)?)?;
        let scores = aten::sum_dim_intlist(&masked).dim(&[1]).call()?;
        let values = scores.to_vec::<f32>()?;
        for (encoding, score) in encodings.encodings()?.iter().zip(&values) {
            let mask = encoding.column("attention_mask")?;
            let tokens: Vec<_> = encoding.tokens()?.into_iter().zip(mask).filter(|(_, m)| **m == 1).collect();
            let words: Vec<_> = tokens.into_iter().map(|(token, _)| token).collect();
            println!("{:+} {}", score, words.join(" "));
        }

        accuracy.update(&aten::sigmoid(&scores)?, &Tensor::from_slice(&labels, &[3])?)?;
        let share = match accuracy.result()? {
            Native::Tensor(share) => share.to_vec::<f32>()?[0],
            _ => return Err("the accuracy is no tensor".into()),
        };
        println!("accuracy {:.4}", share);
        board.add_scalar("accuracy", share.into(), step, None, false, false)?;
        board.add_histogram("scores", &scores, step, None, None, 0)?;
        let wrong: Vec<_> = (0..3).filter(|i| (values[*i] > 0.0) != (labels[*i] == 1)).map(|i| texts[i]).collect();
        if !wrong.is_empty() {
            board.add_text("wrong", &wrong.join("\n\n"), step, None)?;
        }
    }
    Ok(board.finish()?)
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.len() != 3 {
        return Err("usage: rate_reviews TOKENIZER FOLDER".into());
    }
    run(&arguments[1], &arguments[2])
}
