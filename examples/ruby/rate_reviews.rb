# Rate reviews by the words in them: texts become tokens, tokens a score; how often that is right is counted over
# batches, and logged for TensorBoard.
#
#     ruby rate_reviews.rb tokenizer.json runs/reviews
#
# The tokenizer is one of Hugging Face's in lower case, as that of bert-base-uncased.
require "ctorch"

BATCHES = [
  { "A great film, and great fun" => 1, "A bad film" => 0, "Dull and bad" => 0 },
  { "Great, not bad" => 1, "Fun for all of us" => 1, "not great" => 0 }
].freeze
LEXICON = { "great" => 1.0, "fun" => 1.0, "bad" => -1.0, "dull" => -1.0 }.freeze

abort "usage: rate_reviews.rb TOKENIZER FOLDER" unless ARGV.size == 2
tokenizer = Ctorch::Tokenizer.load(ARGV[0]).enable_padding
weights = [0.0] * tokenizer.vocab_size
LEXICON.each { |word, weight| weights[tokenizer.token_to_id(word)] = weight }
weight = Ctorch::Tensor.of(weights)

accuracy = Ctorch::Metrics.BinaryAccuracy
Ctorch::SummaryWriter.open(ARGV[1]) do |board|
  BATCHES.each.with_index(1) do |batch, step|
    encodings = tokenizer.encode_batch(batch.keys)
    scores = weight.take(encodings.tensor).mul(encodings.tensor(:attention_mask)).sum([1])
    encodings.zip(scores.to_a) do |encoding, score|
      tokens = encoding.tokens.zip(encoding.attention_mask).filter_map { |token, mask| token if mask == 1 }
      puts format("%+d %s", score, tokens.join(" "))
    end

    accuracy.update(scores.sigmoid, Ctorch::Tensor.of(batch.values))
    share = accuracy.compute
    puts format("accuracy %.4f", share.item)
    board.add_scalar("accuracy", share, step)
    board.add_histogram("scores", scores, step)
    wrong = batch.zip(scores.to_a).filter_map { |(text, label), score| text if (score.positive? ? 1 : 0) != label }
    board.add_text("wrong", wrong.join("\n\n"), step) unless wrong.empty?
  end
end
