module Ctorch
  # What a tokenizer makes of a text: Arrays with an entry for each token.
  class Encoding
    # The ids, the segments, and 1 or 0 for what is no padding, and what was added.
    %w[ids type_ids attention_mask special_tokens_mask].each do |column|
      define_method(column) { Ctorch.encoding_column(self, column) }
    end

    # The word, and the text of a pair, that each token is of; nil for none.
    %w[word_ids sequence_ids].each do |column|
      define_method(column) { Ctorch.encoding_column(self, column).map { |id| id.negative? ? nil : id } }
    end

    def size
      pointer # of a closed one, an error
      Ctorch.encoding_len(self)
    end

    def tokens
      Array.new(size) { |i| Ctorch.encoding_token(self, i) }
    end

    # Where each token stands in its text, as `text[range]` has it.
    def offsets
      ranges("starts", "ends")
    end

    # The same in bytes of UTF-8: `text.byteslice(range)`.
    def byte_offsets
      ranges("byte_starts", "byte_ends")
    end

    # What truncation has cut off.
    def overflowing
      pointer
      Array.new(Ctorch.encoding_overflowing_len(self)) { |i| Ctorch.encoding_overflowing(self, i) }
    end

    # A column as a tensor of int64.
    def tensor(column = :ids)
      Ctorch.encoding_tensor(self, column.to_s)
    end

    private

    def ranges(starts, ends)
      Ctorch.encoding_column(self, starts).zip(Ctorch.encoding_column(self, ends)).map { |first, last| first...last }
    end
  end

  # Encodings of several texts.
  class EncodingBatch
    include Enumerable

    def size
      pointer
      Ctorch.encoding_batch_len(self)
    end

    # One of them, negative from the end; nil if there is none.
    def [](index)
      found = index.negative? ? index + size : index
      found.between?(0, size - 1) ? Ctorch.encoding_batch_at(self, found) : nil
    end

    def each
      return enum_for(:each) { size } unless block_given?

      size.times { |i| yield Ctorch.encoding_batch_at(self, i) }
      self
    end

    # A column of all of them, [encodings, tokens of the longest]; shorter ones are filled up.
    def tensor(column = :ids, fill_value: 0)
      Ctorch.encoding_batch_tensor(self, column.to_s, fill_value)
    end
  end

  # Text of tokens that come one by one, as a model generates them.
  class DecodeStream
    # What the text has grown by; "" as long as its last character is not complete.
    def step(id)
      Ctorch.decode_stream_step(self, id).to_s
    end
    alias_method :<<, :step
  end

  # Texts to tokens and back, by a `tokenizer.json` of Hugging Face's tokenizers.
  #
  #   tokenizer = Ctorch::Tokenizer.load("tokenizer.json")
  #   encoding = tokenizer.encode("a text", "and another")
  #   p encoding.tokens, encoding.ids, encoding.offsets
  #   batch = tokenizer.enable_padding(pad_token: "[PAD]").encode_batch(["one", "two texts"])
  #   model.(batch.tensor, batch.tensor(:attention_mask))
  #   puts tokenizer.decode(encoding.ids)
  class Tokenizer
    # The tokenizer of a path or another source (Streams).
    def self.load(source)
      Streams.reading(source) { |reader| Ctorch.tokenizer_open(reader) }
    end

    # It as a `tokenizer.json`.
    def to_json(*, pretty: false)
      Ctorch.tokenizer_to_json(self, pretty: pretty)
    end

    def encode(text, pair = nil, add_special_tokens: true)
      Ctorch.tokenizer_encode(self, text.encode("UTF-8"), pair&.encode("UTF-8"), add_special_tokens: add_special_tokens)
    end

    # Encode a text that was divided into words; offsets are those in each word.
    def encode_words(words, pair = nil, add_special_tokens: true)
      Ctorch.tokenizer_encode_words(self, words, pair, add_special_tokens: add_special_tokens)
    end

    # Encode several texts on so many threads; 0 for as many as there are processors.
    def encode_batch(texts, pairs = nil, add_special_tokens: true, num_threads: 0)
      special = { add_special_tokens: add_special_tokens }
      Ctorch.tokenizer_encode_batch(self, texts, nil, pairs, num_threads, **special)
    end

    # The ids alone, as a tensor of int64.
    def encode_tensor(text, add_special_tokens: true)
      Ctorch.tokenizer_encode_tensor(self, text.encode("UTF-8"), add_special_tokens: add_special_tokens)
    end

    def decode(ids, skip_special_tokens: true)
      Ctorch.tokenizer_decode(self, ids, skip_special_tokens: skip_special_tokens)
    end

    # The texts of the rows of a tensor.
    def decode_batch(ids, skip_special_tokens: true)
      OneObject.ruby(Ctorch.tokenizer_decode_batch(self, ids, skip_special_tokens: skip_special_tokens))
    end

    # Decode tokens that come one by one; the tokenizer must not be changed meanwhile.
    def decode_stream(skip_special_tokens: true)
      Ctorch.decode_stream_new(self, skip_special_tokens: skip_special_tokens)
    end

    # The id of a token; nil if there is none.
    def token_to_id(token)
      Ctorch.tokenizer_token_to_id(self, token.encode("UTF-8"))
    rescue Ctorch::IndexError
      nil
    end

    # The token of an id; nil if there is none.
    def id_to_token(id)
      Ctorch.tokenizer_id_to_token(self, id)
    rescue Ctorch::IndexError
      nil
    end

    # How many tokens there are, with those that were added to the model's.
    def vocab_size
      use { |pointer| Raw.ctorch_tokenizer_vocab_size(pointer, true) }
    end

    # A Hash from tokens to ids.
    def vocab
      OneObject.ruby(Ctorch.tokenizer_vocab(self, with_added_tokens: true))
    end

    # Add tokens, and say how many are new.
    def add_tokens(tokens, special: false)
      Ctorch.tokenizer_add_tokens(self, tokens, special: special)
    end

    # Cut encodings off that are longer.
    def enable_truncation(max_length, stride: 0, strategy: :longest_first, direction: :right)
      Ctorch.tokenizer_enable_truncation(self, max_length, stride, strategy: strategy.to_s, direction: direction.to_s)
      self
    end

    def no_truncation
      Ctorch.tokenizer_no_truncation(self)
      self
    end

    # Fill shorter encodings up: to a length, or without one to the longest of a batch.
    def enable_padding(pad_id: 0, pad_type_id: 0, pad_token: "[PAD]", length: -1, pad_to_multiple_of: 0, direction: :right)
      numbers = [length, pad_to_multiple_of]
      Ctorch.tokenizer_enable_padding(self, pad_id, pad_type_id, pad_token, *numbers, direction: direction.to_s)
      self
    end

    def no_padding
      Ctorch.tokenizer_no_padding(self)
      self
    end
  end

  # tiktoken's encoding of a file of ranks.
  class Tiktoken
    # The encoding of a path or another source: one that is published by its name, "cl100k_base", or one of a pattern of
    # your own, with special tokens and their ids.
    def self.load(ranks, name: nil, pattern: nil, special_tokens: {})
      raise ::ArgumentError, "Tiktoken.load: one of name: and pattern: is needed" if name.nil? == pattern.nil?

      Streams.reading(ranks) do |reader|
        if name
          Ctorch.tiktoken_open_named(reader, name.to_s)
        else
          Ctorch.tiktoken_open(reader, pattern, special_tokens.keys, special_tokens.values)
        end
      end
    end

    # The ids of a text in which nothing is special.
    def encode_ordinary(text)
      entries(Ctorch.tiktoken_encode_ordinary(self, text.encode("UTF-8")))
    end

    # The ids of a text: a special token in it is an error, unless it is allowed or not disallowed. Each is an Array, or
    # :all.
    def encode(text, allowed_special: [], disallowed_special: :all)
      allowed, disallowed = [allowed_special, disallowed_special].map { |names| Array(names).map(&:to_s) }
      entries(Ctorch.tiktoken_encode(self, text.encode("UTF-8"), allowed, disallowed))
    end

    # A text; bytes that are no UTF-8 become U+FFFD.
    def decode(ids)
      Ctorch.tiktoken_decode(self, ids)
    end

    # The bytes, as a binary String.
    def decode_bytes(ids)
      entries(Ctorch.tiktoken_decode_bytes(self, ids)).pack("C*")
    end

    # One more than the highest id.
    def vocab_size
      pointer
      Ctorch.tiktoken_vocab_size(self)
    end

    private

    def entries(tensor)
      tensor.to_a
    ensure
      tensor.close
    end
  end
end
