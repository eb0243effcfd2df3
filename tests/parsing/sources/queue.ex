defmodule Shop.Queue do
  @moduledoc """
  A queue of orders.
  """

  use GenServer
  import Enum, only: [map: 2]
  alias Shop.{Order, Customer}
  alias Shop.Mail.Sender, as: Mailer
  require Logger

  @behaviour Shop.Worker
  @limit 10
  @type t :: %__MODULE__{orders: list(Order.t())}

  defstruct orders: [], name: nil

  @doc "Adds an order."
  @spec push(t(), Order.t()) :: t()
  def push(queue, %Order{} = order) when is_map(queue) do
    Logger.info("push")
    %{queue | orders: [order | queue.orders]}
  end

  def push(queue, nil), do: queue

  @impl true
  def handle_call(:size, _from, state) do
    {:reply, length(state.orders), state}
  end

  defp notify(customers, fun \\ &Mailer.send/1) do
    customers |> map(fun) |> Enum.filter(&valid?/1)
  end

  defmacro trace(expression) do
    quote do: IO.inspect(unquote(expression))
  end

  defguard is_small(n) when n < @limit
end

defprotocol Shop.Priced do
  def price(item)
end

defimpl Shop.Priced, for: Shop.Order do
  def price(order), do: order.total
end

defmodule Shop.Error do
  defexception [:message]
end
