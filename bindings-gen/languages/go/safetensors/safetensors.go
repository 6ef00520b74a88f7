// Package safetensors is Hugging Face's format for tensors by their names (safetensors.torch).
package safetensors

import "ctorch"

// SaveFile writes tensors to a file. metadata may be nil.
//
// C: ctorch_safetensors_write_file
func SaveFile(tensors map[string]*ctorch.Tensor, path string, metadata map[string]string) error {
	return with(tensors, metadata, func(tensors, metadata *ctorch.Value) error {
		return ctorch.SafetensorsWriteFile(tensors, metadata, path)
	})
}

// Save is what SaveFile would write.
//
// C: ctorch_safetensors_write
func Save(tensors map[string]*ctorch.Tensor, metadata map[string]string) ([]byte, error) {
	return ctorch.Written(func(writer *ctorch.Writer) error { return SaveTo(writer, tensors, metadata) })
}

// SaveTo writes to wherever a writer writes. Writer.Finish is still to be called.
//
// C: ctorch_safetensors_write
func SaveTo(writer *ctorch.Writer, tensors map[string]*ctorch.Tensor, metadata map[string]string) error {
	return with(tensors, metadata, func(tensors, metadata *ctorch.Value) error {
		return ctorch.SafetensorsWrite(writer, tensors, metadata)
	})
}

// LoadFile is all tensors of a file.
//
// C: ctorch_weights_tensor
func LoadFile(path string) (map[string]*ctorch.Tensor, error) {
	weights, err := ctorch.OpenWeights(path, true)
	if err != nil {
		return nil, err
	}
	defer weights.Close()
	return weights.Tensors()
}

// Load is all tensors of the bytes of a file.
//
// C: ctorch_weights_tensor
func Load(data []byte) (map[string]*ctorch.Tensor, error) {
	weights, err := ctorch.WeightsOf(data)
	if err != nil {
		return nil, err
	}
	defer weights.Close()
	return weights.Tensors()
}

// SaveModel writes the state dict of a model, and of tensors that share memory one.
//
// C: ctorch_safetensors_write_model_file
func SaveModel(model *ctorch.Module, path string, metadata map[string]string) error {
	return with(nil, metadata, func(_, metadata *ctorch.Value) error {
		return ctorch.SafetensorsWriteModelFile(model, metadata, path)
	})
}

// LoadModel loads a model from a file of any format. The names that are missing and those that were not expected are given
// back; strict makes an error of both.
//
// C: ctorch_safetensors_load_model_file
func LoadModel(model *ctorch.Module, path string, strict bool) (missing, unexpected []string, err error) {
	first, second, err := ctorch.SafetensorsLoadModelFile(model, path, strict)
	if err != nil {
		return nil, nil, err
	}
	defer first.Close()
	defer second.Close()
	if missing, err = names(first); err != nil {
		return nil, nil, err
	}
	if unexpected, err = names(second); err != nil {
		return nil, nil, err
	}
	return missing, unexpected, nil
}

func names(list *ctorch.Value) ([]string, error) {
	names := make([]string, list.Len())
	for i := range names {
		name, err := list.Get(i)
		if err != nil {
			return nil, err
		}
		names[i], err = name.Text()
		name.Close()
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}

// with makes values for a call, that of the metadata nil if there are none.
func with(
	tensors map[string]*ctorch.Tensor, metadata map[string]string, call func(tensors, metadata *ctorch.Value) error,
) error {
	dict, err := ctorch.ValueOf(tensors)
	if err != nil {
		return err
	}
	defer dict.Close()
	var texts *ctorch.Value
	if metadata != nil {
		if texts, err = ctorch.ValueOf(metadata); err != nil {
			return err
		}
		defer texts.Close()
	}
	return call(dict, texts)
}
