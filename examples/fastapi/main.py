import hashlib
import hmac
import html
import json
import os
import sys
import time

import httpx
from fastapi import Cookie, FastAPI, Form, Request, Response
from fastapi.responses import HTMLResponse

API = os.environ.get("COUNTERSIGN_API", "http://localhost:4000").removesuffix("/")
KEY = os.environ.get("COUNTERSIGN_KEY", "sk_sandbox_demo_api")
WEBHOOK_SECRET = os.environ.get("COUNTERSIGN_WEBHOOK_SECRET", "")

app = FastAPI()
countersign = httpx.AsyncClient(base_url=API + "/v2", headers={"Authorization": KEY}, timeout=30)


class Refused(Exception):
    """An error answer. Branch on `error_code`, never on the message."""

    def __init__(self, answer):
        super().__init__(answer["message"])
        self.data = answer["data"]
        self.error_code = self.data.get("errorCode")


async def post(path, body):
    response = await countersign.post(path, json=body)
    answer = response.json()
    if not response.is_error:
        return answer
    if not answer.get("data", {}).get("errorCode"):
        # The error is not about the person: the key or the URL may be wrong.
        print(f"Countersign: {response.status_code} {answer.get('message')}", file=sys.stderr)
    raise Refused(answer)


def page(content):
    return HTMLResponse(
        '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
        f"<title>Open an account</title><main>{content}</main></html>"
    )


def code_page(problem=""):
    return page(
        f'<h1>Enter your code</h1><p role="alert">{problem}</p><form method="post" action="/finish">'
        '<label>Verification code <input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" required></label>'
        "<button>Continue</button></form>"
    )


def own_page():
    """Your own form, for people Countersign cannot sign up."""
    return page("<h1>Tell us about you</h1><p>Show your own signup form here.</p>")


@app.get("/")
async def phone_page():
    return page(
        '<h1>Open an account</h1><form method="post" action="/start">'
        '<label>Phone number <input name="phone" type="tel" autocomplete="tel" value="+12125550010"></label>'
        "<p>By continuing you agree to receive a text message to create an account for 1-Click Signup at "
        "Example Brand and other supported sites, and you agree to the "
        '<a href="http://localhost:4001/terms">terms of use</a>.</p><button>Continue</button></form>'
    )


@app.post("/start")
async def start(phone: str = Form()):
    try:
        verification = await post("/1-click/verifications", {"channel": "sms", "phone": phone})
        await post(f"/1-click/verifications/{verification['uuid']}/deliver", {})
    except Refused:
        return own_page()
    answer = code_page()
    answer.set_cookie("verification", verification["uuid"], httponly=True, samesite="lax")
    return answer


@app.post("/finish")
async def finish(code: str = Form(), verification: str = Cookie(default="none")):
    try:
        await post(f"/1-click/verifications/{verification}/verify", {"code": code})
        identity = (await post("/1-click", {"verificationUuid": verification}))["identity"]
    except Refused as error:
        if error.error_code == "OCV001" and error.data["attemptsRemaining"] > 0:
            return code_page("That code is not right. Try again.")
        return own_page()
    name = identity["credentials"].get("fullName", {}).get("firstName", "friend")
    return page(f"<h1>Welcome, {html.escape(name)}!</h1><p>Your account is ready.</p>")


def is_genuine(timestamp, signature, raw_body):
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    digest = hmac.new(WEBHOOK_SECRET.encode(), timestamp.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(one.encode(), b"v1=" + digest.encode()) for one in signature.split(","))


@app.post("/webhooks")
async def webhooks(request: Request):
    # The signature covers the bytes that arrived, so read the body raw and parse it after the check.
    raw_body = await request.body()
    headers = request.headers
    if not is_genuine(headers.get("X-Webhook-Timestamp", ""), headers.get("X-Webhook-Signature", ""), raw_body):
        return Response(status_code=400)
    event = json.loads(raw_body)
    print(event["event"], event["healthDataUuid"])
    return Response(status_code=204)
