<?php

declare(strict_types=1);

/** An error answer. Branch on `errorCode`, never on the message. */
class Refused extends Exception
{
    public function __construct(public readonly array $data)
    {
        parent::__construct($data['errorCode'] ?? 'refused');
    }
}

function setting(string $name, string $default): string
{
    $value = getenv($name);
    return $value === false ? $default : $value;
}

function post(string $path, array $body): array
{
    $call = curl_init(rtrim(setting('COUNTERSIGN_API', 'http://localhost:4000'), '/') . '/v2' . $path);
    curl_setopt_array($call, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
        CURLOPT_HTTPHEADER => [
            'Authorization: ' . setting('COUNTERSIGN_KEY', 'sk_sandbox_demo_api'),
            'Content-Type: application/json',
        ],
        CURLOPT_POSTFIELDS => json_encode((object) $body),
    ]);
    $answer = json_decode(curl_exec($call) ?: '', true, flags: JSON_THROW_ON_ERROR);
    $status = curl_getinfo($call, CURLINFO_RESPONSE_CODE);
    if ($status < 400) {
        return $answer;
    }
    if (!isset($answer['data']['errorCode'])) {
        // The error is not about the person: the key or the URL may be wrong.
        error_log("Countersign: $status " . ($answer['message'] ?? ''));
    }
    throw new Refused($answer['data'] ?? []);
}

function page(string $content): void
{
    echo '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">',
        "<title>Open an account</title><main>$content</main></html>";
}

function phonePage(): void
{
    page('<h1>Open an account</h1><form method="post" action="/start">
<label>Phone number <input name="phone" type="tel" autocomplete="tel" value="+12125550010"></label>
<p>By continuing you agree to receive a text message to create an account for 1-Click Signup at Example Brand
and other supported sites, and you agree to the <a href="http://localhost:4001/terms">terms of use</a>.</p>
<button>Continue</button></form>');
}

function codePage(string $problem = ''): void
{
    page("<h1>Enter your code</h1><p role=\"alert\">$problem</p>" . '<form method="post" action="/finish">
<label>Verification code <input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" required></label>
<button>Continue</button></form>');
}

/** Your own form, for people Countersign cannot sign up. */
function ownPage(): void
{
    page('<h1>Tell us about you</h1><p>Show your own signup form here.</p>');
}

function start(): void
{
    try {
        ['uuid' => $uuid] = post('/1-click/verifications', ['channel' => 'sms', 'phone' => $_POST['phone'] ?? '']);
        post("/1-click/verifications/$uuid/deliver", []);
    } catch (Refused) {
        ownPage();
        return;
    }
    setcookie('verification', $uuid, ['httponly' => true, 'samesite' => 'Lax']);
    codePage();
}

function finish(): void
{
    $uuid = rawurlencode($_COOKIE['verification'] ?? 'none');
    try {
        post("/1-click/verifications/$uuid/verify", ['code' => $_POST['code'] ?? '']);
        ['identity' => $identity] = post('/1-click', ['verificationUuid' => $uuid]);
    } catch (Refused $error) {
        $mayTryAgain = $error->getMessage() === 'OCV001' && $error->data['attemptsRemaining'] > 0;
        $mayTryAgain ? codePage('That code is not right. Try again.') : ownPage();
        return;
    }
    $name = htmlspecialchars($identity['credentials']['fullName']['firstName'] ?? 'friend');
    page("<h1>Welcome, $name!</h1><p>Your account is ready.</p>");
}

function isGenuine(string $timestamp, string $signature, string $rawBody): bool
{
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $expected = 'v1=' . hash_hmac('sha256', "$timestamp.$rawBody", setting('COUNTERSIGN_WEBHOOK_SECRET', ''));
    foreach (explode(',', $signature) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}

function webhooks(): void
{
    // The signature covers the bytes that arrived, so read the body raw and parse it after the check.
    $rawBody = file_get_contents('php://input') ?: '';
    $timestamp = $_SERVER['HTTP_X_WEBHOOK_TIMESTAMP'] ?? '';
    if (!isGenuine($timestamp, $_SERVER['HTTP_X_WEBHOOK_SIGNATURE'] ?? '', $rawBody)) {
        http_response_code(400);
        return;
    }
    $event = json_decode($rawBody, true, flags: JSON_THROW_ON_ERROR);
    error_log($event['event'] . ' ' . $event['healthDataUuid']);
    http_response_code(204);
}

match ($_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    'GET /' => phonePage(),
    'POST /start' => start(),
    'POST /finish' => finish(),
    'POST /webhooks' => webhooks(),
    default => http_response_code(404),
};
