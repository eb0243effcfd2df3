library(stats)
source("helpers.R")
requireNamespace("utils")

LIMIT <- 10
options = list(a = 1)

# Fits a model.
fit_model <- function(data, formula = y ~ x, ...) {
  cleaned <- drop_na(data)
  model <- stats::lm(formula, cleaned)
  summary(model)$coefficients
}

predict.fitted = function(object, newdata) sapply(newdata, function(x) x * LIMIT)

setClass("Account", representation(balance = "numeric"))
setGeneric("deposit", function(account, amount) standardGeneric("deposit"))
Person <- R6Class("Person", public = list(
  name = NULL,
  greet = function() cat(self$name)
))
