require "fiddle"

module Ctorch
  # Ruby before 3.3 crashes when a native thread ends after its VM did (https://bugs.ruby-lang.org/issues/19580). The gem
  # ffi leaves data in every thread that calls a C function, which Ruby's `xfree` gives back when the native thread ends,
  # and Ruby lets a native thread wait for three seconds after the Thread that it ran. A process that ends meanwhile has
  # no VM any more while LibTorch is taken apart, which takes long enough to meet it.
  #
  # So when the process ends, the thread-specific data of ffi are forgotten instead: what is left of them goes with the
  # process.
  module ProcessEnd
    KEYS = 1024 # PTHREAD_KEYS_MAX of Linux

    class << self
      # C's exit handlers run when Ruby has ended; this one is younger than LibTorch's destructors, so it runs before them.
      def forget_thread_data
        at_exit_of_c = function("__cxa_atexit", 3)
        key_delete = Fiddle::Handle::DEFAULT["pthread_key_delete"]
        keys_of_ffi.each { |key| at_exit_of_c.call(key_delete, key, 0) }
      end

      private

      # What ffi's first call on a new thread sets. Fiddle, which looks, sets nothing.
      def keys_of_ffi
        get = function("pthread_getspecific", 1)
        Raw.ctorch_version # bound here, so that the thread does nothing else
        Thread.new do
          unset = (0...KEYS).select { |key| get.call(key).zero? }
          Raw.ctorch_version
          unset.reject { |key| get.call(key).zero? }
        end.value
      end

      def function(name, arguments)
        Fiddle::Function.new(Fiddle::Handle::DEFAULT[name], [Fiddle::TYPE_VOIDP] * arguments, Fiddle::TYPE_INTPTR_T)
      end
    end

    needed = RUBY_ENGINE == "ruby" && Gem::Version.new(RUBY_VERSION) < Gem::Version.new("3.3")
    forget_thread_data if needed && RUBY_PLATFORM.include?("linux")
  end
end
