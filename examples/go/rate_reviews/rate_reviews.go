// Rate reviews by the words in them: texts become tokens, tokens a score; how often that is right is counted over
// batches, and logged for TensorBoard.
//
//	rate_reviews tokenizer.json runs/reviews
//
// The tokenizer is one of Hugging Face's in lower case, as that of bert-base-uncased.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	"ctorch"
	"ctorch/aten"
	"ctorch/metrics"
)

type review struct {
	text  string
	label int64
}

var batches = [][]review{
	{{"A great film, and great fun", 1}, {"A bad film", 0}, {"Dull and bad", 0}},
	{{"Great, not bad", 1}, {"Fun for all of us", 1}, {"not great", 0}},
}

var lexicon = map[string]float32{"great": 1, "fun": 1, "bad": -1, "dull": -1}

// weights has the weight of each token.
func weights(tokenizer *ctorch.Tokenizer) (*ctorch.Tensor, error) {
	values := make([]float32, tokenizer.VocabSize(true))
	for word, weight := range lexicon {
		id, err := tokenizer.TokenToId(word)
		if err != nil {
			return nil, err
		}
		values[id] = weight
	}
	return ctorch.FromSlice(values, int64(len(values)))
}

// score adds up the weights of each text's tokens.
func score(weight *ctorch.Tensor, encodings *ctorch.EncodingBatch) (*ctorch.Tensor, error) {
	ids, err := encodings.Tensor("ids", 0)
	if err != nil {
		return nil, err
	}
	defer ids.Close()
	mask, err := encodings.Tensor("attention_mask", 0)
	if err != nil {
		return nil, err
	}
	defer mask.Close()
	each, err := aten.Take(weight, ids)
	if err != nil {
		return nil, err
	}
	defer each.Close()
	masked, err := aten.MulTensor(each, mask)
	if err != nil {
		return nil, err
	}
	defer masked.Close()
	return aten.SumDimIntList(masked, aten.SumDimIntListOptions{Dim: []int64{1}})
}

// judge adds a batch to the metric, and gives it.
func judge(accuracy *ctorch.Metric, scores *ctorch.Tensor, labels []int64) (float64, error) {
	preds, err := aten.Sigmoid(scores)
	if err != nil {
		return 0, err
	}
	defer preds.Close()
	target, err := ctorch.FromSlice(labels, int64(len(labels)))
	if err != nil {
		return 0, err
	}
	defer target.Close()
	if err := accuracy.Update(preds, target); err != nil {
		return 0, err
	}
	result, err := accuracy.Result()
	if err != nil {
		return 0, err
	}
	share := result.(*ctorch.Tensor)
	defer share.Close()
	values, err := ctorch.ToSlice[float32](share)
	if err != nil {
		return 0, err
	}
	return float64(values[0]), nil
}

func step(
	tokenizer *ctorch.Tokenizer, weight *ctorch.Tensor, accuracy *ctorch.Metric, board *ctorch.SummaryWriter,
	batch []review, number int64,
) error {
	texts, labels := make([]string, len(batch)), make([]int64, len(batch))
	for i, one := range batch {
		texts[i], labels[i] = one.text, one.label
	}
	encodings, err := tokenizer.EncodeBatch(texts, nil, nil, true, 0)
	if err != nil {
		return err
	}
	defer encodings.Close()
	scores, err := score(weight, encodings)
	if err != nil {
		return err
	}
	defer scores.Close()
	values, err := ctorch.ToSlice[float32](scores)
	if err != nil {
		return err
	}
	var wrong []string
	for i, value := range values {
		if (value > 0) != (labels[i] == 1) {
			wrong = append(wrong, texts[i])
		}
		encoding, err := tokenizer.Encode(texts[i], true)
		if err != nil {
			return err
		}
		tokens, err := encoding.Tokens()
		encoding.Close()
		if err != nil {
			return err
		}
		fmt.Printf("%+.0f %s\n", value, strings.Join(tokens, " "))
	}
	share, err := judge(accuracy, scores, labels)
	if err != nil {
		return err
	}
	fmt.Printf("accuracy %.4f\n", share)
	if err := board.AddScalar("accuracy", share, number, nil, false, false); err != nil {
		return err
	}
	if err := board.AddHistogram("scores", scores, number, nil, nil, 0); err != nil {
		return err
	}
	if len(wrong) == 0 {
		return nil
	}
	return board.AddText("wrong", strings.Join(wrong, "\n\n"), number, nil)
}

func run(path, folder string) error {
	tokenizer, err := ctorch.TokenizerOpenFile(path)
	if err != nil {
		return err
	}
	defer tokenizer.Close()
	weight, err := weights(tokenizer)
	if err != nil {
		return err
	}
	defer weight.Close()
	accuracy, err := metrics.BinaryAccuracy()
	if err != nil {
		return err
	}
	defer accuracy.Close()
	board, err := ctorch.SummaryWriterOpen(&folder, nil, nil, 10, 120, nil)
	if err != nil {
		return err
	}
	defer board.Close()
	for i, batch := range batches {
		if err := step(tokenizer, weight, accuracy, board, batch, int64(i+1)); err != nil {
			return err
		}
	}
	return board.Finish()
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: rate_reviews TOKENIZER FOLDER")
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}
