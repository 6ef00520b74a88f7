// What tokenizers, metrics and event files give (text_sample.expected), one thing a line.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"ctorch"
	"ctorch/aten"
	"ctorch/metrics"
)

const text = "A great film, déjà vu 🙂!"

func must[T any](x T, err error) T {
	check(err)
	return x
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func equal(a, b any) {
	if !reflect.DeepEqual(a, b) {
		log.Fatalf("%v is not %v", a, b)
	}
}

func path(name string) string { return filepath.Join(os.Args[1], name) }

func joined[T any](list []T) string { return strings.Trim(fmt.Sprint(list), "[]") }

func floats(x *ctorch.Tensor) []float32 {
	defer x.Close()
	return must(ctorch.ToSlice[float32](x))
}

func ints(x *ctorch.Tensor) []int64 {
	defer x.Close()
	return must(ctorch.ToSlice[int64](x))
}

func column(encoding *ctorch.Encoding, name string) []int64 {
	defer encoding.Close()
	return must(encoding.Column(name))
}

func texts() {
	tokenizer := must(ctorch.TokenizerOpenFile(path("tokenizer.json")))
	defer tokenizer.Close()
	encoding := must(tokenizer.Encode(text, true))
	defer encoding.Close()
	ids := must(encoding.Ids())
	fmt.Println("tokens", strings.Join(must(encoding.Tokens()), " "))
	fmt.Println("ids", joined(ids))
	var offsets []string
	for _, between := range must(encoding.CharacterOffsets()) {
		offsets = append(offsets, fmt.Sprintf("%d-%d", between[0], between[1]))
	}
	fmt.Println("offsets", strings.Join(offsets, " "))
	fmt.Println("pair", joined(column(must(tokenizer.EncodePair("not bad", "great fun", true)), "type_ids")))
	check(tokenizer.EnablePadding(0, 0, "[PAD]", -1, 0, nil))
	batch := must(tokenizer.EncodeBatch([]string{"not bad", "great fun, and a great film", ""}, nil, nil, true, 0))
	defer batch.Close()
	rows := must(batch.Tensor("ids", 0))
	defer rows.Close()
	fmt.Println("batch", batch.Len(), joined(must(ctorch.ToSlice[int64](rows))))
	fmt.Println("mask", joined(ints(must(batch.Tensor("attention_mask", 0)))))
	fmt.Println("decoded", must(tokenizer.Decode(ids, true)))
	decoded := must(tokenizer.DecodeBatch(rows, true))
	defer decoded.Close()
	var read []string
	for _, row := range must(decoded.Native()).([]any) {
		read = append(read, row.(string))
	}
	fmt.Println("rows", strings.Join(read, "|"))
	stream := must(ctorch.NewDecodeStream(tokenizer, true))
	defer stream.Close()
	var pieces []string
	for _, id := range ids {
		pieces = append(pieces, must(stream.Step(id)))
	}
	fmt.Println("stream", strings.Join(pieces, "|"))
	fmt.Println("great", must(tokenizer.TokenToId("great")))
	if _, err := tokenizer.TokenToId("nothing"); errors.Is(err, ctorch.ErrorIndex) {
		fmt.Println("missing none")
	}
	check(tokenizer.NoPadding())
	check(tokenizer.EnableTruncation(4, 0, nil, nil))
	fmt.Println("cut", joined(column(must(tokenizer.Encode(text, true)), "ids")))

	again := must(ctorch.TokenizerOf([]byte(must(tokenizer.ToJson(true)))))
	defer again.Close()
	check(again.NoTruncation())
	equal(column(must(again.EncodePair("a", "", true)), "sequence_ids"), []int64{-1, 0, -1, -1})
	equal(column(must(again.Encode("", false)), "ids"), []int64{})
	equal(ints(must(again.EncodeTensor("great film", true))), column(must(again.EncodeWords([]string{"great", "film"}, nil, true)), "ids"))
	at := must(encoding.Offsets())[6]
	equal(text[at[0]:at[1]], "é")
	_, err := again.Encode("\xff", true)
	equal(errors.Is(err, ctorch.ErrorInvalidArgument), true)
}

func tiktoken() {
	ranks := must(ctorch.ReaderOpen(path("ranks.tiktoken"), false))
	defer ranks.Close()
	pattern := `\p{L}+|\s|[^\s\p{L}]+`
	encoding := must(ctorch.TiktokenOpen(ranks, pattern, []string{"<|end|>"}, []int64{300}))
	defer encoding.Close()
	ids := must(encoding.Encode("a great film<|end|>", []string{"all"}, nil))
	fmt.Println("tiktoken", joined(ids))
	fmt.Println("text", must(encoding.Decode(ids)))
	equal(must(encoding.Decode([]int64{97, 0, 98})), "a\x00b")
	equal(must(encoding.EncodeOrdinary("a film")), must(encoding.Encode("a film", nil, []string{"all"})))
	_, err := encoding.Encode("<|end|>", nil, []string{"all"})
	equal(errors.Is(err, ctorch.ErrorValue), true)
}

func number(x any) string {
	defer x.(*ctorch.Tensor).Close()
	return fmt.Sprintf("%.6f", must(ctorch.ToSlice[float32](x.(*ctorch.Tensor)))[0])
}

func judged() {
	numbers := []float32{0.8, 0.1, 0.1, 0.2, 0.5, 0.3, 0.1, 0.6, 0.3, 0.3, 0.3, 0.4}
	classes, average := ctorch.Some[int64](3), ctorch.Some("none")
	accuracy := must(metrics.MulticlassAccuracy(metrics.MulticlassAccuracyOptions{NumClasses: classes, Average: average}))
	defer accuracy.Close()
	f1 := must(ctorch.NewMetric("MulticlassF1Score", nil, map[string]any{"num_classes": 3}))
	defer f1.Close()
	micro := must(ctorch.NewMetric("MulticlassAccuracy", ctorch.Tuple{3}, map[string]any{"average": "micro"}))
	defer micro.Close()
	both := must(ctorch.MetricCollection([]*ctorch.Metric{f1, micro}, []string{"f1", "accuracy"}, nil, nil))
	defer both.Close()
	for i, target := range [][]int64{{0, 1}, {2, 2}} {
		preds := must(ctorch.FromSlice(numbers[6*i:6*i+6], 2, 3))
		labels := must(ctorch.FromSlice(target, 2))
		check(accuracy.Update(preds, labels))
		check(both.UpdateWith(preds, labels))
		preds.Close()
		labels.Close()
	}
	var shown []string
	for _, value := range floats(must(accuracy.Result()).(*ctorch.Tensor)) {
		shown = append(shown, fmt.Sprintf("%.6f", value))
	}
	fmt.Println("accuracy", strings.Join(shown, " "))
	found := must(both.Result()).(ctorch.Dict)
	fmt.Println("f1", number(found[0].Value))
	fmt.Println("micro", number(found[1].Value))
	words := must(metrics.WordErrorRate())
	defer words.Close()
	check(words.UpdateWith([]string{"a great film"}, []string{"a bad film"}))
	equal(number(must(words.Result())), "0.333333")
	before := accuracy.UpdateCount()
	check(accuracy.Reset())
	fmt.Println("updates", before, accuracy.UpdateCount())
}

func logged() {
	folder := path("events")
	board := must(ctorch.SummaryWriterOpen(&folder, nil, nil, 10, 120, nil))
	defer board.Close()
	check(board.AddScalar("loss", 0.5, 1, nil, false, false))
	check(board.AddScalar("loss", 0.25, 2, ctorch.Some(12.0), false, false))
	check(board.AddText("note", "good", 3, nil))
	weights := must(aten.Arange(ctorch.Float(4)))
	defer weights.Close()
	check(board.AddHistogramEdges("weights", weights, 4, []float64{-1, 1, 2, 5, 7}, nil, 0))
	check(board.Finish())
	reader := must(ctorch.SummaryReaderOpen(folder))
	defer reader.Close()
	for must(reader.Next()) {
		if reader.Tag() == "" {
			continue
		}
		var kind, shown string
		switch reader.Kind() {
		case ctorch.SummaryKindScalar:
			kind, shown = "scalar", fmt.Sprintf("%.2f", reader.Scalar())
		case ctorch.SummaryKindText:
			kind, shown = "text", reader.Text()
		case ctorch.SummaryKindHistogram:
			limits, counts, err := reader.Bins()
			check(err)
			kind, shown = "histogram", fmt.Sprint(must(limits.Size(0)))
			limits.Close()
			counts.Close()
		}
		fmt.Println("event", reader.Tag(), reader.Step(), kind, shown)
	}
	equal(errors.Is(board.AddText("late", "", 5, nil), ctorch.ErrorRuntime), true)
}

func main() {
	texts()
	tiktoken()
	judged()
	logged()
	if _, err := ctorch.TokenizerOf([]byte("{}")); errors.Is(err, ctorch.ErrorFormat) {
		fmt.Println("refused FORMAT")
	}
	if _, err := ctorch.NewMetric("NoSuch", nil, nil); errors.Is(err, ctorch.ErrorIndex) {
		fmt.Println("refused INDEX")
	}
	equal(ctorch.DebugLiveHandles(), int64(0))
}
