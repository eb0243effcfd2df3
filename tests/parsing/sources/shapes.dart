import 'dart:math' as math;
import 'package:app/core.dart' show Base, Named hide Other;
export 'src/area.dart';
part 'shapes.g.dart';

typedef Callback = void Function(int value);

/// A shape.
@immutable
abstract class Shape<T> extends Base with Logging implements Comparable<Shape>, Named {
  static const int limit = 10;
  final String name;
  double? _area;

  const Shape(this.name, {this.scale = 1});
  Shape.named(String name) : this(name);
  factory Shape.of(Map<String, dynamic> json) => Circle(json['radius']);

  double get area => _area ?? compute(math.pi);
  set area(double value) { _area = value; }

  Future<void> draw(Canvas canvas, [int times = 1]) async {
    await canvas.paint(this.name);
    print(Shape.of({}).area);
  }

  double compute(double by);
  bool operator ==(Object other) => identical(this, other);
}

mixin Logging on Object { void log(String text) => print(text); }
enum Colour { red, green; String label() => name; }
extension Shouting on String { String shout() => toUpperCase(); }

int twice(int x) => x * 2;
final origin = Point(0, 0);
void main() { var s = Shape.named('a'); s..draw(null)..log('x'); twice(Shape.limit); }
