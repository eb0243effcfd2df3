-- Customers.
CREATE TABLE shop.customers (
  id INTEGER PRIMARY KEY,
  email VARCHAR(200) NOT NULL,
  region_id INT REFERENCES regions (id)
);

CREATE INDEX customers_email ON shop.customers (email);

CREATE VIEW active_customers AS
SELECT c.id, lower(c.email) FROM shop.customers c JOIN orders o ON o.customer_id = c.id;

CREATE FUNCTION total(customer INTEGER) RETURNS INTEGER AS $$
  SELECT sum(amount) FROM orders WHERE customer_id = customer;
$$ LANGUAGE sql;

CREATE TYPE mood AS ENUM ('sad', 'ok');
INSERT INTO regions (name) VALUES ('north');
