/** The text above the routes: what to do first, with the routes' own names. */
export const howToBegin = `A multi-tenant HTTP gateway for sending and receiving messages over linked phone sessions (profiles).

## How to begin

1. **Register**: \`POST /auth/register\` answers an \`accessToken\`. Later \`POST /auth/login\` does, and \`POST /auth/refresh\` renews it.
   Programs take a key of \`POST /api-keys\` instead. Here, put either into *Authorize*.
2. **Make a profile**: \`POST /profiles\` with a name. One profile is one linked phone.
3. **Connect it**: \`POST /profiles/{id}/connect\`. With \`phoneNumber\` in the body it answers a pairing code to type into the phone.
4. **Scan the QR code** of \`GET /profiles/{id}/qr?wait=30\` (JSON, a PNG or characters for a terminal, by \`Accept\`) on the phone,
   under *Linked devices*. \`GET /profiles/{id}/status?wait=60&until=connected\` answers once it is linked.
5. **Send**: \`POST /messages/text\` with \`profileId\`, \`to\` (the number with its country code) and \`text\`.
6. **Hear what happens**: \`POST /webhooks\` has events posted to you, signed; \`GET /events\` reads the same events as pages or as a stream.
   Their kinds and what each one holds are under *webhooks* of this document, and for Kafka in the
   [AsyncAPI document](/api/asyncapi.json).

\`\`\`
BASE=http://localhost:3000/api/v1
curl $BASE/auth/register -H 'content-type: application/json' \\
  -d '{"email":"ada@example.com","password":"correct horse battery","name":"Ada"}'
curl $BASE/messages/text -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"profileId":"…","to":"4915112345678","text":"Hello"}'
\`\`\`

## What holds for every route

- Every route but the public ones takes an access token (\`Authorization: Bearer\`) or an API key (\`x-api-key\`).
- Every answer carries \`X-Request-Id\`. Every POST takes an \`Idempotency-Key\`: the same key, route and body within 24 hours
  give the same answer, and nothing is made or sent twice.
- Lists are pages: \`{ items, nextCursor }\`. Give \`nextCursor\` as \`cursor\` to go on; it is null at the end.
- Errors are \`{ success: false, error: { code, message, details?, requestId } }\`. Fields that are not known are refused.
- \`content.type\` of a message says which fields its \`content\` has.`;
