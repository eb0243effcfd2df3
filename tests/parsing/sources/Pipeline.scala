package com.example.flow

import scala.collection.mutable
import com.example.core.{Stage, Sink => Drain}
import com.example.util._

/** A pipeline of stages. */
@deprecated("old", "1.0")
abstract class Pipeline[A <: Record](val name: String, stages: List[Stage[A]]) extends Base(name) with Logging with Serializable {
  type Row = Map[String, A]
  private val cache = mutable.Map.empty[String, A]
  var count: Int = 0

  def this(name: String) = this(name, Nil)

  override def run(input: A, options: String*)(implicit context: Context): Either[Error, A] = {
    val result = stages.foldLeft(input)((value, stage) => stage.apply(value))
    def local(x: Int) = x + 1
    Drain.write(result, new Writer(name))
    Right(result)
  }

  protected def size: Int = cache.size
}

object Pipeline {
  val Default = "default"
  def apply(name: String): Pipeline[Record] = new Simple(name)
}

case class Simple(title: String) extends Pipeline[Record](title)

sealed trait Event extends Product
case object Started extends Event

enum Colour(val hex: Int):
  case Red extends Colour(1)
  case Green

given ordering: Ordering[Event] = Ordering.by(_.toString)

extension (text: String)
  def shout: String = text.toUpperCase
