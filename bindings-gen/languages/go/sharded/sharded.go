// Package sharded is tensors in several files and an index, as Hugging Face has them.
package sharded

import "ctorch"

// Options is what Save does not need to be told.
type Options struct {
	Format         *string // safetensors; or pt
	MaxShardNbytes int     // of tensors in a file; 0 for 5 GB
	Metadata       map[string]string
}

// Save writes to a folder, or to the path of an index.
//
// C: ctorch_sharded_write
func Save(tensors map[string]*ctorch.Tensor, path string, options ...Options) error {
	var o Options
	for _, given := range options {
		o = given
	}
	dict, err := ctorch.ValueOf(tensors)
	if err != nil {
		return err
	}
	defer dict.Close()
	var texts *ctorch.Value
	if o.Metadata != nil {
		if texts, err = ctorch.ValueOf(o.Metadata); err != nil {
			return err
		}
		defer texts.Close()
	}
	return ctorch.ShardedWrite(dict, texts, path, o.Format, o.MaxShardNbytes)
}

// Load is all tensors that the index of a folder lists.
//
// C: ctorch_weights_tensor
func Load(path string) (map[string]*ctorch.Tensor, error) {
	weights, err := ctorch.OpenWeights(path, true)
	if err != nil {
		return nil, err
	}
	defer weights.Close()
	return weights.Tensors()
}
