/** The messages between the dashboard and the wallet's preview page: the screen, the styling and sample values. */
import type { Static } from "typebox";
import type { Scheme } from "../brand/theme.ts";
import { t } from "../primitives.ts";
import { ReviewField } from "./page.ts";

export const previewScreens = ["code", "review", "missing", "done"] as const;
export type PreviewScreen = (typeof previewScreens)[number];

/** Fields of the review with the values of a test person, masked as the wallet masks them. */
export const PreviewFields = t.Array(ReviewField);

export type Preview = {
  screen: PreviewScreen;
  scheme: Scheme;
  /** Path of the style sheet for the edited styling. */
  theme: string;
  successAnimation: "full" | "none";
  /** The purpose after "1-Click", such as "Signup". */
  word: string;
  fields: Static<typeof PreviewFields>;
};

/** The preview page sends this when it is ready for messages. */
export const previewReady = "countersign-preview-ready";
