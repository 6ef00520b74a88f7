//! What tokenizers, metrics and event files give (text_sample.expected), one thing a line.

use ctorch::{
    aten, debug_live_handles, metrics, DecodeStream, Encoding, ErrorKind, Metric, Native, Reader, Result, SummaryKind,
    SummaryReader, SummaryWriter, Tensor, Tiktoken, Tokenizer, Value,
};

const TEXT: &str = "A great film, déjà vu 🙂!";

fn joined<T: ToString>(list: impl IntoIterator<Item = T>) -> String {
    list.into_iter().map(|x| x.to_string()).collect::<Vec<_>>().join(" ")
}

fn column(encoding: Encoding, name: &str) -> Result<Vec<i64>> {
    Ok(encoding.column(name)?.to_vec())
}

fn kind<T: std::fmt::Debug>(result: Result<T>) -> ErrorKind {
    result.unwrap_err().kind()
}

fn texts(folder: &str) -> Result<()> {
    let mut tokenizer = Tokenizer::open_file(&format!("{}/tokenizer.json", folder))?;
    let encoding = tokenizer.encode(TEXT, true)?;
    let ids = encoding.ids()?;
    println!("tokens {}", encoding.tokens()?.join(" "));
    println!("ids {}", joined(ids));
    println!("offsets {}", joined(encoding.char_offsets()?.iter().map(|(a, b)| format!("{}-{}", a, b))));
    println!("pair {}", joined(column(tokenizer.encode_pair("not bad", "great fun", true)?, "type_ids")?));
    tokenizer.enable_padding(0, 0, "[PAD]", -1, 0, None)?;
    let batch = tokenizer.encode_batch(&["not bad", "great fun, and a great film", ""], &[], &[], true, 0)?;
    let rows = batch.tensor("ids", 0)?;
    println!("batch {} {}", batch.len(), joined(rows.to_vec::<i64>()?));
    println!("mask {}", joined(batch.tensor("attention_mask", 0)?.to_vec::<i64>()?));
    println!("decoded {}", tokenizer.decode(ids, true)?);
    let decoded = tokenizer.decode_batch(&rows, true)?;
    let decoded: Result<Vec<_>> = (0..decoded.len()).map(|i| decoded.get(i)?.to_text()).collect();
    println!("rows {}", decoded?.join("|"));
    let mut stream = DecodeStream::new(&tokenizer, true)?;
    let pieces: Result<Vec<_>> = ids.iter().map(|id| stream.step(*id)).collect();
    println!("stream {}", pieces?.join("|"));
    println!("great {}", tokenizer.token_to_id("great")?);
    if kind(tokenizer.token_to_id("nothing")) == ErrorKind::INDEX {
        println!("missing none");
    }
    tokenizer.no_padding()?;
    tokenizer.enable_truncation(4, 0, None, None)?;
    println!("cut {}", joined(column(tokenizer.encode(TEXT, true)?, "ids")?));

    let mut again = Tokenizer::from_bytes(tokenizer.to_json(true)?)?;
    again.no_truncation()?;
    assert_eq!(column(again.encode_pair("a", "", true)?, "sequence_ids")?, [-1, 0, -1, -1]);
    assert!(again.encode("", false)?.ids()?.is_empty());
    let words = column(again.encode_words(&["great", "film"], &[], true)?, "ids")?;
    assert_eq!(again.encode_tensor("great film", true)?.to_vec::<i64>()?, words);
    let (first, last) = encoding.offsets()?[6];
    assert_eq!(&TEXT[first..last], "é");
    assert_eq!(batch.encodings()?[2].tokens()?[0], "[CLS]");
    assert_eq!(kind(encoding.column("nothing")), ErrorKind::INVALID_ARGUMENT);
    Ok(())
}

fn tiktoken(folder: &str) -> Result<()> {
    let ranks = Reader::open(&format!("{}/ranks.tiktoken", folder), false)?;
    let encoding = Tiktoken::open(&ranks, r"\p{L}+|\s|[^\s\p{L}]+", &["<|end|>"], &[300])?;
    let ids = encoding.encode("a great film<|end|>", &["all"], &[])?;
    println!("tiktoken {}", joined(&ids));
    println!("text {}", encoding.decode(&ids)?);
    assert_eq!(encoding.decode(&[97, 0, 98])?, "a\0b");
    assert_eq!(encoding.encode_ordinary("a film")?, encoding.encode("a film", &[], &["all"])?);
    assert_eq!(kind(encoding.encode("<|end|>", &[], &["all"])), ErrorKind::VALUE);
    Ok(())
}

fn numbers(result: &Native) -> Vec<String> {
    match result {
        Native::Tensor(x) => x.to_vec::<f32>().unwrap().iter().map(|x| format!("{:.6}", x)).collect(),
        other => panic!("{:?}", other),
    }
}

fn named(name: &str, value: Native) -> Result<Value> {
    Value::from_native(&Native::Dict(vec![(name.into(), value)]))
}

fn judged() -> Result<()> {
    let scores = [0.8f32, 0.1, 0.1, 0.2, 0.5, 0.3, 0.1, 0.6, 0.3, 0.3, 0.3, 0.4];
    let mut accuracy = metrics::multiclassaccuracy().num_classes(3).average("none").call()?;
    let f1 = Metric::create("MulticlassF1Score", None, &named("num_classes", 3.into())?)?;
    let classes = Value::from_native(&Native::Tuple(vec![3.into()]))?;
    let micro = Metric::create("MulticlassAccuracy", &classes, &named("average", "micro".into())?)?;
    let mut both = Metric::collection(&[&f1, &micro], &["f1", "accuracy"], None, None)?;
    for (preds, target) in scores.chunks(6).zip([[0i64, 1], [2, 2]]) {
        let (preds, target) = (Tensor::from_slice(preds, &[2, 3])?, Tensor::from_slice(&target, &[2])?);
        accuracy.update(&preds, &target)?;
        both.update_with(vec![preds.into(), target.into()])?;
    }
    println!("accuracy {}", numbers(&accuracy.result()?).join(" "));
    let found = both.result()?;
    println!("f1 {}", numbers(found.get(&"f1".into()).unwrap())[0]);
    println!("micro {}", numbers(found.get(&"accuracy".into()).unwrap())[0]);
    let mut words = metrics::worderrorrate()?;
    words.update_with(vec!["a great film".into(), "a bad film".into()])?;
    assert_eq!(numbers(&words.result()?)[0], "0.333333");
    let before = accuracy.update_count();
    accuracy.reset()?;
    println!("updates {} {}", before, accuracy.update_count());
    Ok(())
}

fn logged(folder: &str) -> Result<()> {
    let folder = format!("{}/events", folder);
    let mut board = SummaryWriter::open(10, 120.0).log_dir(&folder).call()?;
    board.add_scalar("loss", 0.5, 1, None, false, false)?;
    board.add_scalar("loss", 0.25, 2, Some(12.0), false, false)?;
    board.add_text("note", "good", 3, None)?;
    board.add_histogram_edges("weights", &aten::arange(4).call()?, 4, &[-1.0, 1.0, 2.0, 5.0, 7.0], None, 0)?;
    board.finish()?;
    let mut reader = SummaryReader::open(&folder)?;
    while reader.next()? {
        let (kind, shown) = match reader.kind() {
            SummaryKind::SCALAR => ("scalar", format!("{:.2}", reader.scalar())),
            SummaryKind::TEXT => ("text", reader.text().to_string()),
            SummaryKind::HISTOGRAM => ("histogram", reader.bins()?.0.to_vec::<f64>()?.len().to_string()),
            _ => continue,
        };
        println!("event {} {} {} {}", reader.tag(), reader.step(), kind, shown);
    }
    assert_eq!(kind(board.add_text("late", "", 5, None)), ErrorKind::RUNTIME);
    Ok(())
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).expect("a folder");
    texts(&folder)?;
    tiktoken(&folder)?;
    judged()?;
    logged(&folder)?;
    for refused in [kind(Tokenizer::from_bytes("{}")), kind(Metric::create("NoSuch", None, None))] {
        println!("{}", format!("{:?}", refused).replace("ErrorKind::", "refused "));
    }
    assert_eq!(debug_live_handles(), 0);
    Ok(())
}
