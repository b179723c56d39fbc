import type { ConsentLanguage } from "@countersign/contract/consent";

/** A longer name would make a title three lines long on a phone. */
const nameMax = 40;
export const isLong = (brand: string) => brand.length > nameMax;

/**
 * The English words of the screens. Texts that people agree to are in the contract's `consent.ts`. The compiler checks
 * that the other languages have the same keys.
 */
const language: ConsentLanguage = "en";
const otherLanguageCode: string = "es";
const triesLeft = (left: number) =>
  left === 0 ? "No tries left." : left === 1 ? "1 try left." : `${left} tries left.`;

export const en = {
  language,
  otherLanguage: "Español",
  otherLanguageCode,
  what: "What is Countersign?",
  whatText: [
    "Countersign finds your details, so that you don’t have to type them.",
    "A company asks for them, and you decide whether it gets them.",
    "It can read them for a limited time, and only until you stop it.",
    "You can see at any time who has read what.",
  ],
  terms: "Terms of use",
  privacy: "Privacy policy",
  termsShort: "Terms",
  privacyShort: "Privacy",
  newTab: "(opens in a new tab)",
  loading: "One moment…",
  proceed: "Continue",
  proceedTo: (brand: string) => (isLong(brand) ? "Continue" : `Continue to ${brand}`),
  optOut: "Continue without autofill",
  startAgain: "Start again",
  tryAgain: "Try again",
  newCode: "Get a new code",
  close: "Close",
  optional: "optional",
  working: "Sending…",
  sharing: "Sharing…",
  looking: "Looking…",

  forPhone: (product: string, ending: string) => `${product} for the phone ending in ${ending}`,
  phoneTitle: "Continue with your phone",
  phoneLead: "We’ll find your details, and you decide whether to share them.",
  phoneLeadVerify: "Verify that this phone is yours. Nothing else is shared.",
  phoneLabel: "Phone number",
  phoneHint: "A US mobile number",
  phoneUnread: "Enter a US phone number with ten digits.",
  phoneAutofill: "Use this phone’s number",
  autofillFailed: "Your carrier couldn’t tell us your number. Enter it instead.",
  consentTitle: "Continue with this number?",
  editPhone: "Change number",
  codeSentTo: "We texted a 6-digit code to",

  codeTitle: "Enter your code",
  codeSent: (brand: string) => `${brand} texted a 6-digit code to your phone.`,
  codeSentBy: (brand: string) => `${brand} texted a 6-digit code to`,
  codeLabel: "Verification code",
  checking: "Checking…",
  codeIncomplete: "Enter all six digits of the code.",
  codeWrong: (left: number) => `That code isn’t right. ${triesLeft(left)}`,
  codeAgree: (brand: string) => `By entering the code, you verify this phone for ${brand} and agree to the`,
  and: "and the",
  timeLeft: (time: string) => `The code expires in ${time}`,
  timeSoonOver: "The code expires in one minute.",
  resend: "Resend code",
  resendIn: (time: string) => `Resend code in ${time}`,
  seconds: (count: number) => `${count} s`,
  resent: "A new code is on its way. The old one no longer works.",
  noMoreTexts: "We can’t text another code. Use the newest one.",
  noText: {
    ask: "Didn’t get a text?",
    back: (brand: string) => `Go back to ${brand}`,
    end: "to send a new one.",
  },

  firstNameTitle: "What’s your first name?",
  firstNameHint: "As shown on your ID.",
  firstName: "First name",
  birthdayTitle: "When were you born?",
  birthday: "Birthday",
  birthdayHint: "MM/DD/YYYY",
  birthdayCheck: (day: string) => `${day}. The month comes first.`,
  birthdayUnread: "Enter your birthday as MM/DD/YYYY.",
  birthdayImpossible: "Enter a valid date of birth.",
  ssn4Title: "What are the last 4 digits of your SSN?",
  ssn4: "Last 4 digits of SSN",
  ssn4Hint: "We check them against your record and don’t keep them.",
  ssn4Unread: "Enter four digits.",
  whyMore: "We use this to check that it’s you.",
  mismatch: (left: number) => `That doesn’t match. ${triesLeft(left)}`,
  required: (label: string) => `Enter your ${label}.`,
  requiredUnnamed: "Enter this detail.",
  chooseRequired: "Choose one.",
  cannotAnswer: "I can’t answer this",
  instead: {
    "fullName.firstName": "Use my first name instead",
    birthDate: "Use my birthday instead",
    ssn4: "Use the last 4 of my SSN instead",
  },

  reviewTitle: (brand: string) => (isLong(brand) ? "Share these details?" : `Share with ${brand}?`),
  reviewText: "Check your details, then decide.",
  /** Replaces `reviewText` after a lost response to Share. It has the same number of lines, so that nothing moves. */
  reviewUnsure: "Your details may already be shared.",
  wholeDate: "The full date will be shared.",
  wholeNumber: "The full number will be shared.",
  changeChoice: (count: number) => `Change (${count} found)`,
  chooseOne: (what: string) => `${what}: choose one`,
  notFound: (labels: string) => `Not found: ${labels}`,
  mandatory: "Required",
  /** Of the phone, which the brand gets even if the person declines. */
  alwaysShared: "Always shared",
  /** The name of the switch of an optional detail. */
  shareDetail: (label: string) => `Share ${label}`,
  leftOut: "Won’t be shared",
  fromIssuer: (issuer: string) => `From ${issuer}`,
  fromRecords: "From our records",
  /** `rest`: the source of the parts that the person did not enter. */
  partlyEntered: (rest: string) => `Partly entered by you; the rest ${rest}`,
  from: {
    phone_carrier: "From your carrier",
    credit_bureau: "From a credit bureau",
    data_bureau: "From a data bureau",
    otp: "Verified with a code",
    customer_otp: "Verified with a code",
    self_attested: "Entered by you",
    government_id: "Your state ID",
  },
  fromState: (state: string) => `Your ${state} ID`,
  /** What a source means, in a sentence. */
  meaning: {
    phone_carrier: "Your carrier has this on record for this phone.",
    credit_bureau: "A credit bureau has this on record for this phone.",
    data_bureau: "A company that keeps public records has this for this phone.",
    otp: "You proved this with a code.",
    customer_otp: "The company checked this with a code.",
    self_attested: "You typed this. Nobody else has confirmed it.",
    government_id: "It comes from the ID in your wallet app, and its state signed it.",
    records: "We have this on record for this phone.",
    issuer: (issuer: string) => `${issuer} issued this to you.`,
  },
  hiddenLabel: "hidden",
  ending: (digits: string) => `ending in ${digits}`,
  yearHidden: "year hidden",
  yourDetails: "Your details",
  edit: "Edit",
  save: "Save",
  cancel: "Cancel",
  share: "Share",
  shareCount: (count: number) => (count === 1 ? "Share 1 detail" : `Share ${count} details`),
  /** Replaces `share` while the text that it agrees to is below the window. */
  readOn: "Keep reading",
  nothingOn: "Turn on at least one detail to share, or choose “Don’t share.”",
  editTitle: "Edit your details",
  missingTitle: {
    one: (label: string) => `Add your ${label}`,
    several: (count: number) => `Add ${count} details`,
    parts: (label: string) => `Complete your ${label}`,
  },
  missingText: {
    one: (brand: string) => `${brand} requires this, and we couldn’t find it.`,
    several: (brand: string) => `${brand} requires these, and we couldn’t find them.`,
    parts: (brand: string) => `${brand} requires all of it, and we found only part of it.`,
  },
  walletApp: "Or use a card from your wallet app",
  /** The same below the button for a state ID. */
  walletAppBesideId: "No state ID? Use another card from your wallet app",
  walletAppText:
    "If a wallet app on this device has these details, it can add them. You review them here before anything is shared.",
  walletAppOpen: "Open wallet app",
  walletAppNone: "A wallet app can’t add these details. Enter them here.",
  stateId: {
    button: "Use your state ID",
    says: "It comes from your wallet app. You review it here before anything is shared.",
    waiting: "Waiting for your wallet app…",
    test: "Use a test ID",
    confirmTitle: "Confirm with your state ID",
    confirmText: (brand: string) =>
      `${brand} requires the state ID in your phone’s wallet app. You review everything before it is shared.`,
    confirmElsewhere: (brand: string) =>
      `${brand} requires the state ID in your phone’s wallet app, and this browser can’t ask for it. Start again on that phone, in Safari or Chrome.`,
    unavailableTitle: "This can’t be finished right now",
    unavailableText: (brand: string) =>
      `${brand} requires a state ID, and we can’t accept one right now. Nothing was shared. Try again later.`,
    insteadTitle: "Use your state ID instead?",
    insteadText: (brand: string) =>
      `We couldn’t find your details. ${brand} can get them from the state ID in your phone’s wallet app. You review them before anything is shared.`,
    without: "Continue without it",
    /** `details`: their names, in a sentence. */
    differs: {
      source: (state: string, details: string, brand: string) =>
        `Your ${state} ID and our records differ in your ${details}. ${brand} gets what our records say.`,
      id: (state: string, details: string, brand: string) =>
        `Your ${state} ID and our records differ in your ${details}. ${brand} gets what your ID says.`,
    },
    /** Why the page got no ID, or why it was refused. */
    refused: {
      none: "We got no state ID.",
      over: "That took too long.",
      unreadable: "We couldn’t read what your wallet app sent.",
      declined: "Your wallet app shared nothing.",
      notGenuine: "We couldn’t verify this ID.",
      unknownAuthority: "We don’t accept IDs from this state yet.",
      expired: "This ID has expired.",
      notYetValid: "This ID isn’t valid yet.",
      revoked: "This ID is no longer valid.",
      uncheckable: "We can’t check this ID right now.",
      otherPerson: "This ID doesn’t match the owner of this phone.",
      contradicts: "This ID differs from our records.",
    },
    /** What to do after a refusal. `orType`: if the person can also type. */
    next: {
      again: { alone: "Try again.", orType: "Try again, or enter the details yourself." },
      update: {
        alone: "Update it in your wallet app.",
        orType: "Update it in your wallet app, or enter the details yourself.",
      },
      own: { alone: "Use your own ID.", orType: "Use your own ID, or enter the details yourself." },
      other: { alone: "Use another ID.", orType: "Enter the details yourself." },
    },
  },
  editText: "Anything you change is marked “Entered by you.”",
  change: "Change",
  badValue: "This doesn’t look right. Check it.",
  badEmail: "Enter an email address such as name@example.com.",
  badSsn: "Enter all nine digits.",
  impossibleSsn: "Check this number. No Social Security number has these digits.",
  badZip: "Enter five digits.",
  badState: "Choose a state.",
  badRegion: "Enter a code such as ON.",
  badAmount: "Enter a whole amount such as 85,000.",
  pick: "Choose",
  otherCountry: "Show all countries",
  fixFields: (count: number) => (count === 1 ? "Fix one field." : `Fix ${count} fields.`),

  healthTitle: "Find your health insurance",
  healthText: (brand: string) =>
    `${brand} also asks for your health insurance. We use these details to find it. You’ll see what we find before you share it.`,
  /** Before `healthSkip` if the person cannot change the details. */
  healthNotYou: "Not you?",
  healthFind: "Find my insurance",
  healthSkip: "Continue without insurance",
  healthExceeded: "Too many different birthdays. Try again in half an hour, or continue without insurance.",
  healthLoadingTitle: "Looking for your insurance…",
  healthLoadingText: "This takes a few seconds.",
  plansTitle: "Which insurance do you use?",
  plansText: (brand: string) => `${brand} gets only the one you choose.`,
  plansLabel: "Insurance found for you",
  planMissing: "Choose your insurance first.",
  noPlansTitle: "We couldn’t find your insurance",
  noPlansText: (brand: string) => `Enter it from your card, or continue without it. ${brand} will then ask you for it.`,
  otherPlan: "A different plan",
  coverage: { medical: "Medical", dental: "Dental", vision: "Vision" },
  insurer: "Insurer",
  insurerHint: "Start typing, then choose from the list.",
  insurersFound: (count: number) =>
    count === 0 ? "No insurer found. Check the spelling." : `${count} insurer${count === 1 ? "" : "s"} found.`,
  insurersFailed: "The search didn’t work. Change the text to try again.",
  insurerMissing: "Choose an insurer from the list.",
  memberId: "Member ID",
  memberIdHint: "As shown on your card.",
  memberIdUnread: "Enter your member ID.",
  insuranceLabel: "Health insurance",
  uninsured: "No insurance was found.",

  sharedTitle: "Details shared",
  /** `until`: a time. Absent in previews, which list no details. */
  sharedText: (brand: string, until?: string) =>
    until === undefined ? `${brand} can read your details.` : `${brand} can read these details until ${until}.`,
  receiptTitle: "What you shared",
  undo: "Changed your mind? You can stop this at any time.",
  /** What the brand gets if the person doesn’t share. */
  stillGets: {
    nothing: (brand: string) => `If you don’t share, ${brand} gets none of your details.`,
    phone: (brand: string) => `If you don’t share, ${brand} still gets your phone number.`,
    phoneAndRisk: (brand: string) =>
      `If you don’t share, ${brand} still gets your phone number and a fraud-risk rating for it.`,
  },
  declinedTitle: "Your details weren’t shared",
  declinedText: {
    nothing: (brand: string) => `${brand} gets none of your details.`,
    phone: (brand: string) => `${brand} still gets your phone number.`,
    phoneAndRisk: (brand: string) => `${brand} still gets your phone number and a fraud-risk rating for it.`,
  },
  getsNone: (brand: string) => `${brand} gets none of your details.`,
  /** `what`: the names of the details that are missing, if there are several. */
  requires: (brand: string, what?: string) =>
    `${brand} requires ${what === undefined ? "it" : `your ${what}`}, so your details weren’t shared.`,
  returnedTitle: "Your phone is verified",
  returnedText: (brand: string) => `${brand} now knows that this phone is yours.`,
  goingBack: "Taking you back…",
  closePage: "You can close this page.",
  manage: "Manage what you share",

  /** Titles of ends without a decision. */
  endTitles: {
    expired: "This code has expired",
    attempts: "Too many wrong codes",
    stopped: "This request was stopped",
    elsewhere: "This code was already used",
    noData: "We couldn’t find your details",
    risk: "This number didn’t pass a security check",
    mismatches: "Too many wrong answers",
    missing: "A required detail is missing",
    over: "Your session has expired",
    unknown: "We can’t open this page",
    lost: "No connection",
    broken: "Something went wrong",
  },
  /** Texts below the titles, for ends where they do not say what the brand gets. */
  endTexts: {
    expired: "Codes work for five minutes.",
    attempts: "For your security, this code no longer works.",
    stopped: "Someone with this phone said they didn’t ask for it.",
    elsewhere: "If you already continued in another window, finish there.",
    unknown: "This link is too old or incomplete.",
    lost: "We couldn’t load this page. Check your connection, then try again.",
    broken: "This is our fault, not yours.",
  },
  soFar: { nothing: " Your details weren’t shared.", something: " Your details were already shared.", unknown: "" },
  /** Replaces `endTitles.missing` if a single detail is missing. */
  missingNamed: (label: string) => `We couldn’t find your ${label}`,
  /** Replaces `soFar.unknown` where the person can share again. */
  unsure: " Your details may already have been shared. It’s safe to choose Share again.",
  next: {
    /** After a page that expired, possibly after sharing. */
    restartUnsure: "If you already shared your details, you’re done. If not, go back to where you started.",
    /** Without a button that continues. */
    restart: "Go back to the website or app where you started, and start again.",
    goOn: "Go back to the website or app where you started, and continue there.",
    /** After a failed security check. The brand knows the person and can look into it. */
    help: (brand: string) => `If this seems wrong, ask ${brand} for help.`,
    /** Above a button that returns to the brand. */
    enter: "Continue to enter your details yourself.",
    see: "Continue to see what you can do next.",
    otherwise: "Otherwise, start again.",
    /** In a frame, after a session that ended too early. */
    close: "Close this, then start again.",
  },
  /** After a decision on something that the page no longer shows. */
  changedSince: "This changed while it was open. Please check it again.",
  /** After a failed call to share or to decline. `soFar` and `decideAgain`, or `unsure`, follow. */
  undecided: {
    LOST: "No connection.",
    BUSY: "Too many tries at once.",
    BROKEN: "Something went wrong on our side.",
  },
  decideAgain: { LOST: " Try again.", BUSY: " Try again in a minute.", BROKEN: " Try again." },
  lostInline: "No connection. What you entered is still here. Try again.",
  brokenInline: "Something went wrong on our side. What you entered is still here. Try again.",
  busyInline: "Too many tries at once. Wait a moment, then try again.",
  lostAction: "No connection. Try again.",
  brokenAction: "Something went wrong on our side. Try again.",
  reference: (id: string) => `Reference: ${id}`,
};
export type Words = Omit<typeof en, "language"> & { language: ConsentLanguage };
