<?php

declare(strict_types=1);

namespace App\Mail;

use App\Contracts\Transport;
use App\Support\{Arr, Str as Text};
use function App\Support\now;
use const App\Support\ZONE;

/** Sends mail. */
#[Service('mailer'), Lazy]
final class Mailer extends Base implements Transport, \Countable
{
    use Logs, Retries;

    public const MAX = 3, MIN = 1;
    private ?string $from = null;
    protected static array $queue = [];

    public function __construct(private readonly Transport $transport, protected ?Text $text = null)
    {
        parent::__construct();
    }

    /**
     * Sends one message.
     */
    public function send(Message $message, string ...$to): ?Receipt
    {
        $this->transport->deliver($message, self::MAX);
        static::log(Arr::first($to));
        $receipt = new Receipt($message);
        return $message?->done() ? $receipt : now(ZONE);
    }

    private static function log(string|int $line): void
    {
        try {
            helper($line);
        } catch (LogError | \RuntimeException $error) {
        }
    }
}

interface Queue extends \Iterator, Transport
{
    public function push(Message $message): void;
}

trait Retries
{
    abstract public function attempts(): int;
}

enum Level: string implements HasLabel
{
    case High = 'high';
    const DEFAULT = self::High;

    public function label(): string
    {
        return ucfirst($this->value);
    }
}

function helper(callable $callback, array $options = ['a' => 1, 'b' => 2])
{
    return array_map($callback, $options);
}

$format = fn(string $line) => trim($line);
define('MAILER_DEBUG', true);
require_once 'bootstrap.php';
