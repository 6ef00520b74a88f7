module Ctorch
  # Where files are read from and written to.
  #
  # A source is a path (a String or Pathname), the bytes themselves (a binary String, ASCII-8BIT), or an IO or StringIO,
  # or what else has `read`, which is read from where it stands. A target is a path or what has `write`; nil has the
  # bytes answered. What is written to a path has another name until it is complete: a failure leaves what was there
  # before.
  module Streams
    class << self
      # Calls the block with a reader of the source. Tensors that share its memory keep that.
      def reading(source, mmap: false, progress: nil)
        return yield(source) if source.is_a?(Reader)

        reader = open_reader(source, mmap)
        reader.set_progress(callback: progress) if progress
        yield reader
      ensure
        reader&.close
      end

      # Calls the block with a writer to the target, and finishes it. The bytes if there is no target.
      def writing(target, progress: nil)
        return yield(target) && nil if target.is_a?(Writer) # somebody else finishes it

        writer = open_writer(target)
        writer.set_progress(callback: progress) if progress
        yield writer
        writer.finish
        target.nil? ? bytes(writer) : nil
      ensure
        writer&.close
      end

      def path?(place)
        return place.encoding != ::Encoding::BINARY if place.is_a?(String)

        place.respond_to?(:to_path) && !place.respond_to?(:seek) # a File has a path too
      end

      def path(place)
        place.respond_to?(:to_path) ? place.to_path : place
      end

      private

      def open_reader(source, mmap)
        return Reader.open(path(source), mmap: mmap) if path?(source)
        raise ::ArgumentError, "only a file that is named by its path can be mapped" if mmap
        return Reader.from_data(source) if source.is_a?(String)
        unless source.respond_to?(:read)
          raise ::TypeError, "expected a path, bytes or what has `read`, got #{source.class}"
        end

        start = position(source)
        return Reader.from_data(source.read || "".b) unless start

        size = source.seek(0, IO::SEEK_END) && source.pos
        source.seek(start)
        Reader.from_callback([size - start, 0].max, read: reading_at(source, start))
      end

      # Where a source stands; nil if it cannot go back, as a pipe.
      def position(source)
        source.pos if source.respond_to?(:seek) && source.respond_to?(:pos)
      rescue SystemCallError
        nil
      end

      # Here, lest the proc hold variables of others. Several threads may read at once, and the source has one place
      # where it stands.
      def reading_at(source, start)
        lock = Mutex.new
        lambda do |nbytes, offset|
          lock.synchronize do
            source.seek(start + offset)
            data = source.read(nbytes) || "".b
            while data.bytesize < nbytes && (more = source.read(nbytes - data.bytesize)) # some give less at a time
              break if more.empty?

              data += more
            end
            data
          end
        end
      end

      def open_writer(target)
        return Writer.create if target.nil?
        return Writer.open(path(target)) if path?(target)
        raise ::TypeError, "expected a path or what has `write`, got #{target.class}" unless target.respond_to?(:write)

        Writer.from_callback(write: writing_to(target))
      end

      def writing_to(target)
        lambda do |data|
          until data.empty?
            taken = target.write(data)
            break if taken.nil? || taken == data.bytesize
            raise ::IOError, "the stream takes no more bytes" if taken.zero?

            data = data.byteslice(taken..)
          end
        end
      end

      def bytes(writer)
        writer.use do |pointer|
          length = Raw.ctorch_writer_nbytes(pointer)
          length.zero? ? "".b : Raw.ctorch_writer_data(pointer).read_bytes(length)
        end
      end
    end
  end
end
