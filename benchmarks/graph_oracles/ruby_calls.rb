# Calls of a Ruby source tree as they run: which definition each call of the executed lines reached.
#
# usage: CALLS_ROOT=FOLDER CALLS_OUT=OUT.tsv RUBYOPT=-r/path/to/ruby_calls.rb ruby -Ilib test/some_test.rb
#
# Rows for `benchmarks graph --truth`: caller (empty), callee (path:line:name), file, line, col (empty: a place is a line and a name),
# name, kind.  `internal`: a method of the tree, or a class of it whose `new` is called.  `overridden`: a method of the tree that the one which
# ran overrides.  `external`: a method from elsewhere.  Calls whose name is not on the line (operators, `send`, blocks, what C calls back) and
# methods without a `def` (define_method, aliases by another name) are left out.  Only executed lines are seen, so recall is over those;
# OUT is appended to, and processes of a test suite may share it.

module Calls
  ROOT = File.realpath(ENV.fetch("CALLS_ROOT")) + "/"
  OUT = ENV.fetch("CALLS_OUT")
  PATHS = Hash.new { |all, path| all[path] = relative(path) }
  LINES = Hash.new { |all, path| all[path] = File.readlines(path, encoding: "UTF-8").map { |l| l.scrub } rescue [] }
  ROWS = {}
  SEEN = {}

  def self.relative(path)
    return nil unless path && File.file?(path)
    whole = File.realpath(path)
    whole.start_with?(ROOT) ? whole[ROOT.size..-1] : nil
  end

  def self.written?(path, line, name)
    text = LINES[path][line - 1] or return false
    /(?<![\w@$])#{Regexp.escape(name)}(?![\w?!])/.match?(text) || (/[?!]\z/.match?(name) && text.include?(name))
  end

  def self.note(path, line, name, callee, kind)
    ROWS[["", callee, PATHS[path], line, "", name, kind]] = true
  end

  def self.place(method)
    path, line = method.source_location
    return nil unless path && PATHS[path] && /\bdef\b/.match?(LINES[path][line - 1].to_s)
    "#{PATHS[path]}:#{line}:#{method.name}"
  end

  def self.called(point)
    site = caller_locations(3, 1)&.first or return
    path, line = site.absolute_path || site.path, site.lineno
    return unless PATHS[path]
    key = [path, line, point.callee_id, point.path, point.lineno, point.defined_class.__id__]
    return if SEEN[key]
    SEEN[key] = true
    name = point.callee_id.to_s
    if site.base_label == name && written?(path, line, "super")
      name = "super"
    elsif !written?(path, line, name)
      return
    end
    return unless /\A[A-Za-z_]\w*[?!]?\z/.match?(name)
    unless PATHS[point.path]
      note(path, line, name, "", "external")
      return
    end
    return unless /\bdef\b/.match?(LINES[point.path][point.lineno - 1].to_s) # made while it runs
    note(path, line, name, "#{PATHS[point.path]}:#{point.lineno}:#{point.method_id}", "internal")
    owner = point.defined_class
    owner.ancestors.each do |above|
      next if above.equal?(owner)
      next unless above.method_defined?(point.method_id, false) || above.private_method_defined?(point.method_id, false)
      other = place(above.instance_method(point.method_id))
      note(path, line, name, other, "overridden") if other
    end
  end

  # Any line of a class that the tree defines: that of a method of its own.
  def self.body(made)
    [made.instance_methods(false), made.private_instance_methods(false)].flatten.each do |name|
      path, line = made.instance_method(name).source_location
      return [path, line] if path && PATHS[path] && /\b(def|attr_\w+)\b/.match?(LINES[path][line - 1].to_s)
    end
    name = Module.instance_method(:name).bind_call(made) or return nil
    from, at = Object.const_source_location(name)
    [from, at] if from && PATHS[from] && /\b(class|Class\.new|Struct)\b/.match?(LINES[from][at - 1].to_s)
  end

  def self.called_c(point)
    path, line = point.path, point.lineno
    return unless PATHS[path]
    made = point.method_id == :new && Class === point.self ? point.self : nil
    key = [path, line, point.method_id, made.__id__]
    return if SEEN[key]
    SEEN[key] = true
    name = point.callee_id.to_s
    if made
      whole = Module.instance_method(:name).bind_call(made) or return
      short = whole.split("::").last
      site = written?(path, line, short) ? short : name
      from, at = body(made)
      note(path, line, site, from ? "#{PATHS[from]}:#{at}:#{short}" : "", from ? "internal" : "external")
      made.ancestors.each do |above| # what `new` in a method of the class that it inherits says
        next unless Class === above && !above.equal?(made) && (within = body(above))
        note(path, line, site, "#{PATHS[within[0]]}:#{within[1]}:#{above.name.to_s.split("::").last}", "overridden")
      end
    elsif written?(path, line, name)
      from, at = point.defined_class.instance_method(point.method_id).source_location
      if from.nil?
        note(path, line, name, "", "external")
      elsif PATHS[from] && written?(from, at, ":" + name) # a reader that attr_reader made
        note(path, line, name, "#{PATHS[from]}:#{at}:#{name}", "internal")
      end
    end
  end

  TRACE = TracePoint.new(:call, :c_call) do |point|
    if point.event == :call
      Calls.called(point)
    else
      Calls.called_c(point)
    end
  rescue StandardError, SystemStackError => problem
    ROWS[["", "", "", 0, "", problem.class.name + " " + problem.message.tr("\t\n", "  "), "problem"]] = true
  end

  at_exit do
    TRACE.disable
    File.open(OUT, "a") do |out|
      out.flock(File::LOCK_EX)
      out.puts(%w[caller callee file line col name kind].join("\t")) if out.size.zero?
      ROWS.each_key { |row| out.puts(row.join("\t")) }
    end
  end
  TRACE.enable
end
