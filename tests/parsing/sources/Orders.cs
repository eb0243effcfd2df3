using System;
using System.Collections.Generic;
using static System.Math;
using Rows = System.Collections.Generic.List<int>;

namespace Shop.Orders
{
    /// <summary>An order.</summary>
    [Serializable, Table("orders")]
    public abstract class Order<T> : Entity<T>, IPriced, Shop.Core.IAudited where T : class
    {
        private readonly int _lines = 1, _total;
        public const string Prefix = "O";
        public event EventHandler Changed;
        public int Count { get; set; } = 3;
        public string Label => Prefix + _lines.ToString();

        public Order(int lines) : base(lines) { _lines = lines; }

        [Obsolete]
        public async Task<Receipt> PayAsync<R>(string method, params int[] parts)
        {
            this._gateway.Charge(method);
            var receipt = new Receipt<T>(Count);
            await Gateway.SendAsync(receipt);
            int Round(int cents) => cents / 100;
            return Round(parts[0]) is Receipt r ? r : default;
        }

        void IPriced.Apply() { }
        protected internal abstract decimal Total();
    }

    public interface IPriced : IComparable
    {
        void Apply();
        decimal Price { get; }
    }

    internal struct Money { public decimal Amount; }
    public enum Status { Open, Paid = 2 }
    public record Line(string Sku, int Quantity) : Entity2;
    public delegate void Notify(Order<object> order);

    static class Extensions
    {
        public static Status Next(this Status status) => status?.Advance() ?? Status.Paid;
    }
}
