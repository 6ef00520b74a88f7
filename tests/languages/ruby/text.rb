# What tokenizers, metrics and event files give (text_sample.expected), one thing a line.
require "ctorch"
require "json"

FOLDER = ARGV.fetch(0)
TEXT = "A great film, déjà vu 🙂!".freeze

def path(name)
  File.join(FOLDER, name)
end

def equal(expected, got)
  raise "expected #{expected.inspect}, got #{got.inspect}" unless expected == got
end

# What the block raises, which must be of that class and say that.
def fails(type, wording = "")
  yield
rescue type => raised
  equal([true, true], [raised.instance_of?(type), raised.message.include?(wording)])
  raised
else
  raise "expected #{type}, nothing was raised"
end

def texts
  tokenizer = Ctorch::Tokenizer.load(path("tokenizer.json"))
  encoding = tokenizer.encode(TEXT)
  puts "tokens #{encoding.tokens.join(' ')}"
  puts "ids #{encoding.ids.join(' ')}"
  puts "offsets #{encoding.offsets.map { |range| "#{range.begin}-#{range.end}" }.join(' ')}"
  puts "pair #{tokenizer.encode('not bad', 'great fun').type_ids.join(' ')}"
  batch = tokenizer.enable_padding.encode_batch(["not bad", "great fun, and a great film", ""])
  puts "batch #{batch.size} #{batch.tensor.to_flat.join(' ')}"
  puts "mask #{batch.tensor(:attention_mask).to_flat.join(' ')}"
  puts "decoded #{tokenizer.decode(encoding.ids)}"
  puts "rows #{tokenizer.decode_batch(batch.tensor).join('|')}"
  stream = tokenizer.decode_stream
  puts "stream #{encoding.ids.map { |id| stream << id }.join('|')}"
  puts "great #{tokenizer.token_to_id('great')}"
  puts "missing #{tokenizer.token_to_id('nothing') || 'none'}"
  puts "cut #{tokenizer.no_padding.enable_truncation(4).encode(TEXT).ids.join(' ')}"

  again = Ctorch::Tokenizer.load(tokenizer.to_json(pretty: true).b).no_truncation
  equal([nil, 0, nil, 1, nil], again.encode("a", "b").sequence_ids)
  equal([0], again.encode("a", add_special_tokens: false).word_ids)
  equal(again.encode_words(%w[great film]).ids, again.encode_tensor("great film").to_a)
  equal(%w[great é], [TEXT[again.encode(TEXT).offsets[2]], TEXT.byteslice(again.encode(TEXT).byte_offsets[6])])
  equal(["[CLS]", nil], [batch[-1].tokens.first, batch[3]])
  equal(again.encode("déjà").ids, again.encode("d\xE9j\xE0".dup.force_encoding("ISO-8859-1")).ids)
  equal(1, again.enable_truncation(4, stride: 1).encode("a great film").overflowing.size)
  equal([5, nil, 1], [again.vocab["great"], again.id_to_token(again.vocab_size), again.add_tokens(["great film"])])
  again.close
  fails(Ctorch::Handle::ClosedError) { again.vocab_size }
end

def tiktoken
  pattern = "\\p{L}+|\\s|[^\\s\\p{L}]+"
  ranks = Ctorch::Tiktoken.load(path("ranks.tiktoken"), pattern: pattern, special_tokens: { "<|end|>" => 300 })
  ids = ranks.encode("a great film<|end|>", allowed_special: :all)
  puts "tiktoken #{ids.join(' ')}"
  puts "text #{ranks.decode(ids)}"
  equal("a\0b", ranks.decode([97, 0, 98]))
  equal(ranks.encode("a film"), ranks.encode_ordinary("a film"))
  equal(["a<|end|>".b, 301], [ranks.decode_bytes([97, 300]), ranks.vocab_size])
  fails(Ctorch::ValueError, "<|end|>") { ranks.encode("<|end|>") }
  fails(ArgumentError, "one of name: and pattern:") { Ctorch::Tiktoken.load(path("ranks.tiktoken")) }
end

def judged
  preds = Ctorch::Tensor.of([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.1, 0.6, 0.3], [0.3, 0.3, 0.4]])
  target = Ctorch::Tensor.of([0, 1, 2, 2])
  accuracy = Ctorch::Metrics.MulticlassAccuracy(num_classes: 3, average: "none")
  both = Ctorch::Metric.collection({
    f1: Ctorch::Metric.create("MulticlassF1Score", num_classes: 3),
    accuracy: Ctorch::Metrics.MulticlassAccuracy(num_classes: 3, average: "micro")
  })
  [accuracy, both].each { |metric| [0..1, 2..3].each { |rows| metric.update(preds[rows], target[rows]) } }
  puts "accuracy #{accuracy.compute.map { |value| format('%.6f', value.item) }.join(' ')}"
  puts "f1 #{format('%.6f', both.compute['f1'].item)}"
  puts "micro #{format('%.6f', both.compute['accuracy'].item)}"
  other = accuracy.clone.merge(accuracy)
  equal([4, "MulticlassAccuracy", "sum"], [other.update_count, other.name, other.reductions["tp"]])
  other.load_state_dict(accuracy.state_dict)
  equal(accuracy.compute.to_a, other.compute.to_a)
  words = Ctorch::Metrics.WordErrorRate.forward(["a great film"], ["a bad film"])
  equal("0.3333", format("%.4f", words.item))
  before = accuracy.update_count
  accuracy.reset
  puts "updates #{before} #{accuracy.update_count}"
end

def logged
  board = Ctorch::SummaryWriter.open(path("events"), filename_suffix: ".ruby")
  board.add_scalar("loss", 0.5, 1)
  board.add_scalar("loss", Ctorch::Tensor.of([0.25]), 2, walltime: 12)
  board.add_text("note", "good", 3)
  board.add_histogram("weights", Ctorch::Tensor.of([1.0, 2.0, 3.0, 4.0]), 4, bins: [0, 2, 3, 5, 7])
  board.flush
  equal([path("events"), ".ruby"], [board.log_dir, File.extname(board.path)])
  shown = { scalar: ->(x) { format("%.2f", x) }, text: :itself.to_proc, histogram: ->(bins) { bins[0].sizes[0] } }
  reader = Ctorch::SummaryReader.open(path("events"))
  reader.reject { |event| event.tag.empty? }.each do |event|
    puts "event #{event.tag} #{event.step} #{event.kind} #{shown[event.kind].call(event.value)}"
  end
  seen = nil
  loggers = [Ctorch::Logger.of(board), Ctorch::Logger.of { |*given| seen = given }]
  loggers << Ctorch::Logger.json_lines(path("log.jsonl"))
  loggers.each { |logger| logger.log({ later: Ctorch::Tensor.of([1.0]), b: 2 }, 5, walltime: 3) }
  equal([{ "later" => 1.0, "b" => 2.0 }, 5, 3.0], seen)
  equal(1, JSON.parse(File.read(path("log.jsonl")))["later"])
  loggers.each(&:close)
  2.times { board.close }
  equal([["later", 3.0], ["b", 3.0]], reader.map { |event| [event.tag, event.wall_time] })
  equal(["events"], Ctorch::SummaryReader.runs(FOLDER))
  fails(Ctorch::Handle::ClosedError) { board.add_scalar("late", 1) }
end

def trained
  model = Ctorch::NN.Linear(1, 1)
  x = Ctorch::Aten.ones([4, 1])
  Ctorch::Trainer.new(model, Ctorch::Optim::SGD.new(model.parameters, lr: 0.1))
                 .set_loss(Ctorch::NN.MSELoss())
                 .add_logger(Ctorch::Logger.csv(path("trained.csv")), every_steps: 1)
                 .fit(Ctorch::Data.DataLoader(Ctorch::Data.TensorDataset([x, x]), batch_size: 2))
  names, *rows = File.readlines(path("trained.csv"))
  equal([%w[step wall_time loss/step], 3], [names.split(",").first(3), rows.size])
end

def name_of(error)
  error.class.name[/(\w+)Error/, 1].upcase
end

Ctorch.scope do
  texts
  tiktoken
  judged
  logged
  trained
  puts "refused #{name_of(fails(Ctorch::FormatError) { Ctorch::Tokenizer.load('{}'.b) })}"
  puts "refused #{name_of(fails(Ctorch::IndexError, 'NoSuch') { Ctorch::Metric.create('NoSuch') })}"
end
equal(0, Ctorch.debug_live_handles)
