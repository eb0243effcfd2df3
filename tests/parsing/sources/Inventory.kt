package com.example.shop

import kotlin.math.max
import com.example.core.Entity as Base
import com.example.util.*

typealias Prices = Map<String, Long>

const val LIMIT = 10
val defaultName: String = "shop"

/** An item on a shelf. */
@Serializable
data class Item(val sku: String, var count: Int = 0) : Base<Item>(sku), Comparable<Item>, Priced {
    private val history = mutableListOf<Int>()
    val label: String
        get() = "$sku:$count"

    init {
        history.add(count)
    }

    constructor(sku: String) : this(sku, 1)

    override fun compareTo(other: Item): Int = count - other.count

    private suspend fun restock(amount: Int, vararg notes: String): Item? {
        history.forEach { log(it) }
        val copy = Item(sku, max(count, amount))
        return copy.takeIf { it.count > LIMIT }
    }

    companion object Factory {
        fun create(sku: String) = Item(sku)
    }

    inner class Slot
}

interface Priced : Named {
    fun price(): Long
}

enum class Status(val code: Int) { OPEN(1), CLOSED(2) }

object Registry : Store<Item>() {
    fun find(sku: String) = items[sku] ?: throw NotFound(sku)
}

sealed class Event

fun Item.total(prices: Prices): Long = prices.getValue(sku) * count

inline fun <reified T> load(crossinline make: (String) -> T): T = make(defaultName)
