#!/usr/bin/env python3
"""Sends a text and waits until the phone has it. Python 3.8 or later, nothing but its standard library.

    API_KEY=gw_... PROFILE=<id> python3 docs/examples/send.py 4915187654321 "Hello"

In place of API_KEY: EMAIL and PASSWORD, for which it makes itself a key of a day. BASE is the address of the API.
The key needs the permissions message:send, message:read and webhook:manage (the last one to follow the events).
Ends with 0 when it was delivered or read, with 1 when it failed, and says why.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

BASE = os.environ.get("BASE", "http://localhost:3000/api/v1")
TRIES = 5
PATIENCE_S = 60


class Refused(Exception):
    """The gateway said no: `code` is a word of docs/errors.md."""

    def __init__(self, status, body):
        error = body.get("error")
        # Two answers have a form of their own: the daily limit, and demo mode.
        self.code = error["code"] if isinstance(error, dict) else error or "HTTP_%d" % status
        message = error["message"] if isinstance(error, dict) else body.get("message", "")
        self.status = status
        super().__init__("%s %s %s" % (status, self.code, message))


def call(method, path, body=None, headers=None, timeout=70):
    """One request; tried again when nobody can say whether it arrived, or the gateway asks for that.

    A POST that makes something needs an Idempotency-Key for it: repeated with the same key it is carried out once.
    """
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, TRIES + 1):
        request = urllib.request.Request(BASE + path, data=data, method=method)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            try:
                refused = Refused(error.code, json.loads(error.read() or b"{}"))
            except ValueError:  # not of the gateway: a proxy between
                refused = Refused(error.code, {})
            again = error.code in (502, 503) and refused.code in ("HTTP_502", "HTTP_503", "SERVICE_UNAVAILABLE")
            again = again or refused.code in ("RATE_LIMITED", "IDEMPOTENCY_IN_PROGRESS")
            if not again or attempt == TRIES:
                raise refused from None
            wait = float(error.headers.get("Retry-After", attempt))
        except (urllib.error.URLError, OSError):
            if attempt == TRIES:
                raise
            wait = attempt
        time.sleep(wait)


def credential():
    """The header that says who asks."""
    if os.environ.get("API_KEY"):
        return {"x-api-key": os.environ["API_KEY"]}
    login = call("POST", "/auth/login", {"email": os.environ["EMAIL"], "password": os.environ["PASSWORD"]})
    made = call(
        "POST",
        "/api-keys",
        {"name": "send.py", "permissions": ["message:send", "message:read", "webhook:manage"], "expiresInDays": 1},
        {"Authorization": "Bearer " + login["accessToken"], "Idempotency-Key": str(uuid.uuid4())},
    )
    return {"x-api-key": made["key"]}


def send(headers, profile, to, text):
    """The id of the message, once the network took it, or, in durable mode, once it is stored."""
    answer = call(
        "POST",
        "/messages/text",
        {"profileId": profile, "to": to, "text": text},
        {**headers, "Idempotency-Key": str(uuid.uuid4())},
    )
    return answer["data"]["messageId"] if "data" in answer else answer["messageId"]


def wait_for_end(headers, message, cursor):
    """Follows the events from a place before the message until it is delivered, read, or has failed."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        page = call("GET", "/events?wait=20&after=" + cursor, headers=headers)
        cursor = page["nextCursor"]
        for event in page["items"]:
            if event["data"].get("messageId") != message:
                continue
            failed = event["event"] == "message.failed"
            if failed or (event["event"] == "message.status" and event["data"]["status"] in ("delivered", "read")):
                # `after` lets the record be as new as the event that told of it.
                return call("GET", "/messages/%s?after=%s" % (message, event["id"]), headers=headers)
    return call("GET", "/messages/" + message, headers=headers)


def main(to, text):
    headers = credential()
    cursor = call("GET", "/events?after=latest", headers=headers)["nextCursor"]
    message = send(headers, os.environ["PROFILE"], to, text)
    print("sent", message, flush=True)
    record = wait_for_end(headers, message, cursor)
    print(record["status"])
    return 0 if record["status"] in ("delivered", "read") else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1], sys.argv[2]))
    except (Refused, OSError) as error:
        sys.exit(str(error))
