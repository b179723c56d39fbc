import { recordWords } from "@countersign/contract/record-words";
import { isLong } from "../words-en.ts";

/** The English words of the person's own page. The other languages have the same keys. */
export const accountEn = {
  ...recordWords.en,
  signInTitle: "Manage what you share",
  signInLead:
    "Sign in with your phone number to see which companies received or read your data. You can stop sharing, or correct, download, or delete your data.",
  tooManyTexts: "Too many codes were requested from your network. Try again in an hour.",
  codeSentIf: "If we have a record of this number, we texted a 6-digit code to",
  resentIf: "If we can text this number, a new code is on its way. Use the newest code.",
  noText: "Didn’t get a text? We text only numbers that we have a record of, and only a few times an hour.",
  codeAgree: "The code signs you in on this device for up to eight hours.",
  signedInAs: "Signed in with",
  signedOut: "You’re signed out.",
  signOut: "Sign out",
  stillSignedIn: "Signing out didn’t work, and you may still be signed in here. Try again.",
  back: "Back",

  homeTitle: "Your data",
  hiddenText: "Confirm your birthday or SSN to see your full details.",
  showValues: "Show details",
  hideValues: "Hide details",
  shownText: (time: string) => `Full details are visible until ${time}. Choose a company below to see them.`,
  cardsText: "Companies added these. They’re shared only if you agree.",
  earlier: "Show earlier activity",
  handsTitle: "Manage",

  brandLead: (first: string) => `First activity ${first}`,
  shareTitle: (brand: string) => (isLong(brand) ? "What it can read" : `What ${brand} can read`),
  nothingToRead: "Nothing right now.",
  insurance: "health insurance",
  insuranceName: "Health insurance",
  mapUntil: (time: string) => `until ${time}`,
  mapLabel: "Who has which detail",
  mapChoose: "Choose",
  mapMore: "See what it can read",
  notRead: "Not read yet",
  insuranceUntil: (brand: string, time: string) => `${brand} can read your health insurance until ${time}.`,
  insuranceDetails: "“View or download everything” shows the details.",
  stopDone: (brand: string) => `Sharing stopped. ${brand} can’t read your data anymore.`,
  keptCopies: (brand: string) => `It may have kept earlier copies. Ask ${brand} to delete them.`,
  stop: "Stop sharing",
  stopAsk: (brand: string) => (isLong(brand) ? "Stop sharing?" : `Stop sharing with ${brand}?`),
  correctTitle: "Edit what you entered",
  correctText: (brand: string) => `${brand} sees the change the next time it reads your data.`,
  corrected: "Saved.",
  save: "Save",
  badValue: "This doesn’t look right. Check it.",

  purpose: (word: string) => `(1-Click ${word})`,
  receipt: "Signed receipt",

  proofTitle: "Confirm it’s you",
  proofText:
    "For your security, answer a question about yourself. We check the answer with an outside source and don’t keep it.",
  proofExceeded: "Too many tries. Try again in half an hour.",
  proofUnknown: "No outside source has data about you, so we can’t check this. You can still delete everything.",
  useSsn4: "Use the last 4 of my SSN instead",
  useBirthday: "Use my birthday instead",

  downloadTitle: "View or download everything",
  downloadText:
    "Everything we keep for your phone number: cards, shared data, insurance, activity, and your decisions with signed receipts.",
  inside: {
    companies: "Companies",
    readable: "Details they can read",
    activity: "Activity and receipts",
    since: (day: string) => `since ${day}`,
  },
  downloadFile: "Download as a file (JSON)",
  downloadPage: "View as a page",

  takeOutTitle: "Add to a wallet app",
  takeOutText:
    "Add verified details to a wallet app on your phone. You can then show them to anyone without us, and you choose what they see each time.",
  takeOutKinds: "Verified details",
  takeOutIssued: "Issued to you",
  takeOutNone: "We have no verified details like this about you.",
  takeOutBusy: "Too many details are waiting for a wallet app. Try again in ten minutes.",
  kinds: { phone: "Phone", name: "Full name", birthdate: "Birthday", address: "Address" },
  offerTitle: (what: string) => `Add your ${what}`,
  offerText:
    "Scan this with the wallet app on your phone, or open the app if it’s on this device. When it asks for a code, choose Show the code.",
  offerTextPhone:
    "Open the wallet app on this phone. When it asks for a code, come back here and choose Show the code.",
  offerElsewhere: "My wallet app is on another device",
  offerPicture: "QR code for your wallet app",
  offerOpen: "Open wallet app",
  offerCode: "Show the code",
  codeTitle: "Enter this code in your wallet app",
  codeText: (time: string) =>
    `It works until ${time}. Don’t share it: anyone with this code and the QR code can get your data.`,
  done: "Done",
  walletAsks: (what: string) => `Add your ${what} to a wallet app?`,
  walletRefuse: "Don’t add",
  walletReturnTitle: "Continue in your wallet app",
  walletGoneTitle: "This request has expired",
  walletGoneText:
    "It was already used, is older than ten minutes, or is for another phone number. Start again under “Add to a wallet app.”",
  takenTitle: "In your wallet apps",
  takenNone: "Nothing yet.",
  takenOn: (day: string, until: string) => `Added on ${day} · valid until ${until}`,
  takenBy: (brand: string) => `Issued by ${brand}`,
  takenStates: { valid: "Valid", withdrawn: "Withdrawn by you", revoked: "Revoked by the issuer" },
  withdraw: "Withdraw",
  withdrawWhat: (what: string) => `Withdraw ${what}`,
  withdrawn: (what: string) => `${what} was withdrawn. It stops working within a minute.`,

  devicesText: "Sign out any device that you don’t recognize.",
  onlyDevice: "You’re signed in on this device only.",
  usedNow: "In use now",
  usedAt: (time: string) => `Last used ${time}`,
  endOthers: "Sign out everywhere else",
  notEnded: (device: string) => `We couldn’t sign out ${device}, which may still be signed in. Try again.`,
  othersNotEnded: "We couldn’t sign out your other devices, which may still be signed in. Try again.",

  deleteTitle: "Delete everything",
  deleteWord: "DELETE",
  deleteLabel: "Type DELETE to confirm",
  deletedTitle: "Your data was deleted",
  deletedText: "We can’t read it anymore. Companies may have kept copies. You’re signed out.",
  resetTitle: "Reset this test person",
  resetDoneTitle: "This test person was reset",
  resetDoneText: "The demo brands no longer have any data of this person.",
  keepReceipt: "Download receipt",

  newHolderAsk: "Start fresh with this number?",
  newHolderLoses:
    "This page will be empty. The shares, cards, and activity that you see now can’t be restored. Companies may keep what they already read.",
  newHolderDone: "You’ve started fresh with this number.",

  over: "Your session has expired. Sign in again.",
  goHome: "Go to your data",
};
export type AccountWords = typeof accountEn;
