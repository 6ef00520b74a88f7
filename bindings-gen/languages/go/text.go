package ctorch

// Texts and tokens: what the generated methods of Tokenizer, Encoding and Tiktoken leave out, which is what takes texts
// that may have any bytes, and lists.

// TokenizerOf reads a tokenizer.json that lies in memory; TokenizerOpenFile reads one from a file.
//
// C: ctorch_tokenizer_open
func TokenizerOf(data []byte) (*Tokenizer, error) {
	reader, err := ReaderOf(data)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	return TokenizerOpen(reader)
}

// Encode makes tokens of a text.
//
// C: ctorch_tokenizer_encode
func (x *Tokenizer) Encode(text string, addSpecialTokens bool) (*Encoding, error) {
	return x.encode(text, nil, addSpecialTokens)
}

// EncodePair makes tokens of a pair of texts.
//
// C: ctorch_tokenizer_encode
func (x *Tokenizer) EncodePair(text, pair string, addSpecialTokens bool) (*Encoding, error) {
	return x.encode(text, &pair, addSpecialTokens)
}

func (x *Tokenizer) encode(text string, pair *string, addSpecialTokens bool) (*Encoding, error) {
	f := NewFrame(tokenizerEncode, 8)
	defer f.Done()
	f.Handle(2, x)
	f.putText(3, text)
	if pair != nil {
		f.putText(5, *pair)
	}
	f.SetBool(7, addSpecialTokens)
	if err := f.Try(); err != nil {
		return nil, err
	}
	return EncodingFromHandle(f.Pointer(1)), nil
}

// EncodeTensor makes the ids of a text, as a tensor of int64.
//
// C: ctorch_tokenizer_encode_tensor
func (x *Tokenizer) EncodeTensor(text string, addSpecialTokens bool) (*Tensor, error) {
	f := NewFrame(tokenizerEncodeTensor, 6)
	defer f.Done()
	f.Handle(2, x)
	f.putText(3, text)
	f.SetBool(5, addSpecialTokens)
	if err := f.Try(); err != nil {
		return nil, err
	}
	return TensorFromHandle(f.Pointer(1)), nil
}

// TokenToId is the id of a token; without one the error is ErrorIndex.
//
// C: ctorch_tokenizer_token_to_id
func (x *Tokenizer) TokenToId(token string) (int64, error) {
	f := NewFrame(tokenizerTokenToId, 5)
	defer f.Done()
	f.Handle(2, x)
	f.putText(3, token)
	if err := f.Try(); err != nil {
		return 0, err
	}
	return f.Int(1), nil
}

// putText gives a text, which may have NUL in it, and in the next place its length.
func (f *Frame) putText(place int, text string) {
	PutPlain(f, place, []byte(text))
	f.SetInt(place+1, int64(len(text)))
}

// Column is a number for each token: "ids", "type_ids", "word_ids", "sequence_ids", "attention_mask",
// "special_tokens_mask", "starts", "ends", "byte_starts" or "byte_ends"; -1 is none.
//
// C: ctorch_encoding_column
func (x *Encoding) Column(name string) ([]int64, error) {
	tensor, err := x.Tensor(name)
	return entries[int64](tensor, err)
}

// Ids are the ids of the tokens.
func (x *Encoding) Ids() ([]int64, error) { return x.Column("ids") }

// Tokens are the texts of the tokens.
func (x *Encoding) Tokens() ([]string, error) {
	tokens := make([]string, x.Len())
	for i := range tokens {
		var err error
		if tokens[i], _, err = x.Token(i); err != nil {
			return nil, err
		}
	}
	return tokens, nil
}

// Offsets tell where each token stands in its text, as text[first:last] has it: in bytes.
func (x *Encoding) Offsets() ([][2]int64, error) { return x.between("byte_starts", "byte_ends") }

// CharacterOffsets tell the same in characters (runes), as Python counts.
func (x *Encoding) CharacterOffsets() ([][2]int64, error) { return x.between("starts", "ends") }

func (x *Encoding) between(first, last string) ([][2]int64, error) {
	starts, err := x.Column(first)
	if err != nil {
		return nil, err
	}
	ends, err := x.Column(last)
	if err != nil {
		return nil, err
	}
	offsets := make([][2]int64, len(starts))
	for i := range offsets {
		offsets[i] = [2]int64{starts[i], ends[i]}
	}
	return offsets, nil
}

// EncodeOrdinary makes the ids of a text in which nothing is special.
//
// C: ctorch_tiktoken_encode_ordinary
func (x *Tiktoken) EncodeOrdinary(text string) ([]int64, error) {
	f := NewFrame(tiktokenEncodeOrdinary, 5)
	defer f.Done()
	f.Handle(2, x)
	f.putText(3, text)
	if err := f.Try(); err != nil {
		return nil, err
	}
	return entries[int64](TensorFromHandle(f.Pointer(1)), nil)
}

// Encode makes the ids of a text. Special tokens that are allowed become their ids, and those that are disallowed are
// errors; "all" alone stands for all.
//
// C: ctorch_tiktoken_encode
func (x *Tiktoken) Encode(text string, allowed, disallowed []string) ([]int64, error) {
	f := NewFrame(tiktokenEncode, 9)
	defer f.Done()
	f.Handle(2, x)
	f.putText(3, text)
	f.PutStrings(5, allowed)
	f.SetInt(6, int64(len(allowed)))
	f.PutStrings(7, disallowed)
	f.SetInt(8, int64(len(disallowed)))
	if err := f.Try(); err != nil {
		return nil, err
	}
	return entries[int64](TensorFromHandle(f.Pointer(1)), nil)
}

// entries are those of a tensor, which is closed.
func entries[T Element](tensor *Tensor, err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer tensor.Close()
	return ToSlice[T](tensor)
}

// NewMetric makes a metric by the name of its class, "MulticlassAccuracy", from what values hold; package metrics has a
// function for each.
//
// C: ctorch_metric_create
func NewMetric(name string, args Tuple, options map[string]any) (*Metric, error) {
	values, err := ValuesOf(args, options)
	if err != nil {
		return nil, err
	}
	defer closeValues(values)
	return MetricCreate(name, values[0], values[1])
}

// UpdateWith accumulates what is no pair of tensors: texts, numbers, a value and its weight.
//
// C: ctorch_metric_update_value
func (x *Metric) UpdateWith(inputs ...any) error {
	value, err := ValueOf(Tuple(inputs))
	if err != nil {
		return err
	}
	defer value.Close()
	return x.UpdateValue(value)
}

// Result is what Compute gives as a value of Go's: a *Tensor, or a list or Dict of such.
//
// C: ctorch_metric_compute
func (x *Metric) Result() (any, error) { return nativeOf(x.Compute()) }

var (
	tokenizerEncode        = FunctionNumber("ctorch_tokenizer_encode")
	tokenizerEncodeTensor  = FunctionNumber("ctorch_tokenizer_encode_tensor")
	tokenizerTokenToId     = FunctionNumber("ctorch_tokenizer_token_to_id")
	tiktokenEncode         = FunctionNumber("ctorch_tiktoken_encode")
	tiktokenEncodeOrdinary = FunctionNumber("ctorch_tiktoken_encode_ordinary")
)
