module Ctorch
  # A compiled model of Python's torch._inductor.aoti_compile_and_package: a program, so load those alone whose origin
  # you trust.
  #
  #   model = Ctorch::Package.load("model.pt2")
  #   y = model.(x)
  class Package
    class << self
      # A model of a file, for `num_runners` calls at once.
      def load(path, model_name: nil, single_threaded: false, num_runners: 1, device: nil)
        options = { model_name: model_name, single_threaded: single_threaded, device: device }
        Ctorch.package_load(path.to_s, num_runners, **options)
      end

      # The models in a file.
      def model_names(path)
        OneObject.ruby(Ctorch.package_model_names(path.to_s))
      end
    end

    # Call it as the model is called in Python.
    def call(*args, **kwargs)
      OneObject.ruby(Ctorch.package_call(self, args, kwargs: kwargs.empty? ? nil : kwargs.transform_keys(&:to_s)))
    end

    # Call it with its tensors in a row, which gives those of its results in a row.
    def run(*inputs)
      Ctorch.package_run(self, inputs).to_a
    end

    def metadata
      OneObject.ruby(Ctorch.package_metadata(self))
    end

    # The weights in use, by their names in Python.
    def constants
      OneObject.ruby(Ctorch.package_constants(self, inactive: false))
    end
  end

  # What Python's torch.export.save writes: a graph of operators with its weights.
  #
  #   model = Ctorch::ExportedProgram.load("model.pt2").module
  #   y = model.(x)
  class ExportedProgram
    # The program of a path or another source (Streams).
    def self.load(source, model_name: nil)
      Streams.reading(source) { |reader| Ctorch.exported_program_open(reader, model_name: model_name) }
    end

    # A module that runs the graph on weights of its own, and is trained as any other.
    def module
      Ctorch.exported_program_module(self)
    end

    def state_dict
      OneObject.ruby(Ctorch.exported_program_state_dict(self))
    end

    def metadata
      OneObject.ruby(Ctorch.exported_program_metadata(self))
    end

    # The operators that it calls and that are not here.
    def missing_operators
      OneObject.ruby(Ctorch.exported_program_missing_operators(self))
    end

    # The graph as text.
    def to_s
      Ctorch.exported_program_text(self).to_s
    end
  end
end
