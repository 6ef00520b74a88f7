# Models that Python has written to a folder (exported_model.write), one for Python to read, and source.
require "stringio"

module JitTest
  FOLDER = ENV.fetch("CTORCH_FILES")

  class << self
    def functions_are_compiled
      functions = Ctorch::Jit.compile("def scale(x: Tensor, by: float = 2.0) -> Tensor:\n    return x * by\n")
      x = Ctorch::Tensor.of([1.0, 2.0])
      Checks.equal([2.0, 4.0], functions.call_method("scale", x).to_a)
      Checks.equal([3.0, 6.0], functions.call_method("scale", x, by: 3).to_a)
      Checks.equal(["scale"], functions.method_names)
    end

    def models_of_python_run
      data = File.binread(path("scripted.pt"))
      [path("scripted.pt"), data, StringIO.new(data)].each do |source|
        model = Ctorch::Jit.load(source)
        result, name = model.call(Ctorch::Aten.ones([2, 3]), ["a", "b"])
        Checks.equal([[7.0, 7.0], [7.0, 7.0]], result.to_a)
        Checks.equal("a-b", name)
        model["bias"] = Ctorch::Aten.zeros([2])
        Checks.equal([[6.0, 6.0]], model.call(Ctorch::Aten.ones([1, 3]), []).first.to_a)
        Checks.that(!model.eval.training?, "still training")
        Checks.fails(Ctorch::RuntimeError, "Traceback of TorchScript") { model.call(Ctorch::Aten.ones([1, 4]), []) }
      end
    end

    def named_tuples_keep_their_names
      name, *fields = File.readlines(path("named.txt"), chomp: true)
      found = Ctorch::Jit.load(path("named.pt")).call(Ctorch::Tensor.of([1.0, 2.0]))
      Checks.equal([name, *fields], [found.class.name, *found.members.map(&:to_s)])
      Checks.equal([[2.0, 4.0], 3], [found.logits.to_a, found[:count]])
      Checks.equal([true, 3, 3], [found[0].equal?(found["logits"]), found[1], found.to_h[:count]])
      Checks.equal([2, 3], [found.count, found.last]) # as of an Array, which has such a method
      logits, count = found
      Checks.equal([true, 3], [logits.equal?(found.logits), count])
      case found
      in { logits:, count: 3 } then Checks.that(logits.equal?(found[0]), "another tensor")
      end
      Checks.fails(::NameError, "no field 'x' in #{name}") { found[:x] }
      Checks.equal(Ctorch::Tuple, Ctorch::Value.of(found).to_ruby.class)
    end

    def modules_are_traced
      net = Ctorch::NN.Linear(3, 2)
      traced = Ctorch::Jit.trace(net, Ctorch::Aten.ones([1, 3]))
      Checks.equal(["weight", "bias"], traced.named_parameters.keys)
      traced.save(path("traced.pt"))
      x = Ctorch::Aten.randn([5, 3])
      Checks.equal(net.call(x).to_a, traced.call(x).to_a)
    end

    def exported_programs_are_modules
      program = Ctorch::ExportedProgram.load(path("program.pt2"))
      Checks.equal(["0.weight", "0.bias", "2.weight", "2.bias"], program.state_dict.keys)
      Checks.equal([], program.missing_operators)
      Checks.that(program.to_s.include?("linear"), "no graph")
      Checks.equal([2, 3], program.module.call(Ctorch::Aten.ones([2, 4])).sizes)
      Checks.fails(Ctorch::FormatError, "no exported program") { Ctorch::ExportedProgram.load(path("scripted.pt")) }
    end

    def packages_are_called
      Checks.equal(["model"], Ctorch::Package.model_names(path("package.pt2")))
      model = Ctorch::Package.load(path("package.pt2"), num_runners: 2)
      y = model.call(Ctorch::Aten.ones([2, 4]))
      Checks.equal(y.to_a, model.run(Ctorch::Aten.ones([2, 4])).first.to_a)
      Checks.equal("cpu", model.metadata["AOTI_DEVICE_KEY"])
      Checks.equal([16, 4], model.constants["0.weight"].sizes)
      Checks.fails(Ctorch::ShapeMismatchError, "") { model.call(Ctorch::Aten.ones([3, 4])) }
    end

    private

    def path(name) = File.join(FOLDER, name)
  end
end
