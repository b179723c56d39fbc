/** Texts of the pages about the people of the console and their passkeys. */
/** A text as one word of a shell command. */
const quoted = (text: string) => (/^[\w@.+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export const operatorWords = {
  title: "Operators",
  lead: "The people who may use this console. They are invited and removed on the machine.",
  name: "Name",
  role: "Role",
  passkeys: "Passkeys",
  invited: "Invitation",
  invitedUntil: "Works until",
  noPasskeys: "No passkey",
  created: "Created",
  lastUsed: "last used",
  neverUsed: "never used",
  remove: "Delete passkey",
  you: "You",
  removeTitle: (name: string) => `Delete this passkey of ${name}?`,
  removeText: "Their sessions end at once. Your device asks you to confirm with a passkey of your own.",
  removeAction: "Delete passkey",
  invite: "Invite and remove people",
  inviteLead:
    "Run these on a machine of the service. A link works once, within a day, and also replaces a lost passkey.",
  inviteTitle: "Print a link for somebody",
  inviteCommand: 'countersign operators invite --email gavin@operator.example --name "Gavin Belson" --role support',
  removeCommandTitle: "End somebody’s access, sessions and passkeys",
  removeCommand: "countersign operators remove --operator UUID",
  own: "Your passkeys",
  ownLead: "You sign in with them. Have one on each device that you use here.",
  anotherPasskey: "Add a passkey on another device",
  anotherLead:
    "An invitation adds a passkey. Somebody with access to a machine of the service runs this, and you open the link there.",
  ownInviteTitle: "Print a link for yourself",
  commandFor: ({ name, email, role }: { name: string; email: string; role: string }) =>
    `countersign operators invite --email ${quoted(email)} --name ${quoted(name)} --role ${role}`,
  ownTitle: "Delete this passkey of yours?",
  ownText: "Your other sessions end at once. Your device asks you to confirm with one of your passkeys.",
  none: "You have no passkey",
  noneLead: "You signed in in another way. Ask for an invitation to add one.",
  noneInvited: "Your invitation lets you add one now. You sign in with it from then on.",
  refused: "Nothing was deleted, because no passkey confirmed it.",
  signedInAs: "You are signed in as",
};
