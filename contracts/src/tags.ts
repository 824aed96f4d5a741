/** Groups of routes in the order of the documentation: what most come for stands first. */
export const tags: Readonly<Record<string, string>> = {
  Messages:
    'Send text, media, locations, contact cards and polls; react, reply, delete, schedule; one-time codes; read what was sent and received, with its status.',
  Conversations:
    'Chats of a profile with their newest message and unread count: search, archive, mute, pin, read, take over from automation.',
  Contacts:
    'People of a profile or of the organization: tags, CSV in and out, number checks, the address book of the phone.',
  Suppressions:
    'People to whom nothing goes that is sent to many: put on the list by hand, by files and by their own word, whatever profile sends.',
  Groups: 'Make groups, change them and who is in them; invite links.',
  Bulk: 'One message to many, with placeholders, through the send gate of the profile; progress and cancelling.',
  Templates: 'Contents under a name, with placeholders that are filled when they are sent; previews.',
  Broadcasts:
    'A message for many people by tags or contacts: draft, schedule, start, pause; quiet hours, variants, what became of each recipient.',
  'Auto-reply': 'Texts that answer messages with a keyword, and texts that clients offer to people who write.',
  Automation: 'What answers by itself: flows of triggers, conditions and actions, and what became of each run.',
  AI: 'Knowledge that answers are looked up in, and texts by a model: answers, translations, what a message feels like.',
  Notifications: 'What has happened, told to each member who may know and wants to.',
  'Web Push': 'Browsers that notifications are pushed to, also while no page is open.',
  Uploads: 'Store a file once and send it as often as needed.',
  Media: 'The bytes of what was uploaded or received, by the URLs that messages carry.',
  Profiles: 'Linked phone sessions. Make one, connect it, scan its QR code or type its pairing code, watch its status.',
  Accounts: 'Folders for profiles within a workspace.',
  Workspaces: 'Parts of an organization that hold accounts.',
  Webhooks: 'Have events posted to a URL, signed; see what became of each delivery, deliver again, replay a time.',
  Events: 'Read the same events in one order without a gap, as pages, as a long poll or as a stream.',
  Auth: 'Register, log in, refresh, two-factor login, sessions and preferences of the person.',
  'API keys': 'Keys for programs, limited to permissions, profiles, addresses and time.',
  Organizations: 'The tenant and its members.',
  Roles: 'What members may do: permissions under a name, and who has them.',
  Settings: 'Mail server, storage and integrations of the organization; secrets go in and never come out.',
  Statistics:
    'How many messages there were, how soon they were answered, and what became of contacts, broadcasts and flows.',
  Audit: 'Who has changed what, and when.',
  'Personal data': 'Export and erasure of what is kept about a person.',
  Health: 'Probes for load balancers and orchestrators.',
};
