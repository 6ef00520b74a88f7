# Runs the tests of the files that are named: each is a method of a module of its own, and its name is the claim.
# A line "PASS module.method" or "FAIL module.method" for each, after which nothing of the library may be left.
require "ctorch"

module Checks
  class << self
    def that(claim, otherwise)
      raise "#{otherwise}" unless claim
    end

    def equal(expected, got)
      raise "expected #{expected.inspect}, got #{got.inspect}" unless expected == got
    end

    # What the block raises, which must be of exactly that class and say that.
    def fails(type, wording = "")
      begin
        yield
      rescue Exception => raised
        that(raised.instance_of?(type), "expected #{type}, got #{raised.inspect}")
        that(raised.message.include?(wording), "expected #{wording.inspect} in: #{raised.message}")
        return raised
      end
      raise "expected #{type}, nothing was raised"
    end

    # Collects garbage until no handle is left. Ruby looks for references on the stack too, where old ones may lie.
    def live_handles
      50.times do
        break if Ctorch.debug_live_handles.zero?

        clear_stack(200)
        GC.start
      end
      Ctorch.debug_live_handles
    end

    def clear_stack(depth)
      depth.zero? ? nil : [nil] * 8 && clear_stack(depth - 1)
    end

    def run(tests)
      tests.singleton_methods(false).sort.each do |name|
        Thread.new { tests.public_send(name) && nil }.join # its stack goes with it
        left = live_handles
        that(left.zero?, "#{left} handles are left:\n#{Ctorch.debug_report if left.positive?}")
        puts "PASS #{tests}.#{name}"
      rescue Exception => failure
        puts "FAIL #{tests}.#{name}", "    #{failure.full_message(highlight: false).gsub("\n", "\n    ")}"
      end
    end
  end
end

Thread.report_on_exception = false
$stdout.sync = true
ARGV.each do |file|
  require file
  Checks.run(Object.const_get("#{File.basename(file, '.rb').capitalize}Test"))
end
