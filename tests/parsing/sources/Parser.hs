{-# LANGUAGE GADTs #-}
-- | A small parser.
module Data.Small.Parser
  ( Parser (..)
  , parse
  ) where

import qualified Data.Map.Strict as Map
import Data.List (sortBy, foldl')
import Control.Monad hiding (guard)

-- | What can go wrong.
data Failure
  = Unexpected Char
  | EndOfInput { position :: Int }
  deriving (Show, Eq)

newtype Parser a = Parser { runParser :: String -> Either Failure (a, String) }

type Table = Map.Map String Int

class Monad m => Source m where
  next :: m (Maybe Char)
  peek :: m Char

instance Functor Parser where
  fmap f (Parser p) = Parser $ \s -> case p s of
    Left e -> Left e
    Right (a, rest) -> Right (f a, rest)

-- | Runs a parser.
parse :: Parser a -> String -> Either Failure a
parse p input = fst <$> runParser p (trim input)
  where
    trim = dropWhile (== ' ')

infixr 5 <+>
(<+>) :: Parser a -> Parser a -> Parser a
a <+> b = Parser $ \s -> either (const (runParser b s)) Right (runParser a s)

limit :: Int
limit = 10

type family Elem c where
  Elem [a] = a
