# The raw layer binds all of C, and every operator has a method.
module RawTest
  class << self
    # Prints the name of each function that could be bound; who runs this compares them with api.json.
    def every_function_is_bound
      names = Ctorch::Raw.names
      names.each { |name| Ctorch::Raw.prepare(name) }
      puts "BOUND #{names.join(' ')}"
    end

    # With nil, zero and false: the answer is an exception or a result.
    def every_operator_is_called
      called = Ctorch::Raw.names.grep(/^ctorch_aten_/).map { |name| name.delete_prefix("ctorch_aten_") }
      refused = called.count { |name| refuses?(name) }
      puts "CALLED #{called.join(' ')}"
      Checks.that(refused > 2500, "only #{refused} refused to work on nothing")
    end

    private

    def refuses?(name)
      positional = Ctorch::Raw.signature("ctorch_aten_#{name}").parameters
      positional = positional.reject { |p| p.result || p.kind == "len" || p.mark.start_with?("=", "?") }
      Ctorch::Aten.public_send(name, *positional.map { |p| nothing(p) })
      false
    rescue Ctorch::Error
      true
    end

    def nothing(parameter)
      return nil unless parameter.kind == "value"

      { "bool" => false, "double" => 0.0 }.fetch(parameter.type, 0)
    end
  end
end
