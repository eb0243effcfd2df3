require 'json'
require_relative 'soil/layer'

# A place where plants grow.
module Garden::Core
  SEASONS = %w[spring summer].freeze

  class Bed < Soil::Layer
    include Comparable, Soil::Wet
    extend ClassMethods

    attr_accessor :plants, :name
    Row = Struct.new(:width, :length)

    # Makes a bed.
    def initialize(name, size = 1, *plants, depth:, shade: nil, **rest, &block)
      @name = name
      plants.each { |plant| add(plant) }
    end

    def self.open(path)
      new(File.basename(path)).load
    end

    def empty? = plants.none?

    def <=>(other)
      name <=> other.name
    end

    alias blank? empty?

    class << self
      def build(kind)
        Core::Factory.for(kind).call
      end
    end

    private

    def prune(branch)
      branch.cut { |cut| cut.tidy }
      water
      raise ArgumentError, "dead" unless alive?
    end

    public

    def water; end
  end

  class Error < StandardError; end

  def self.plant!(seed)
    Bed.new(seed)
  end
end

def top_level(garden)
  garden.plants
end
