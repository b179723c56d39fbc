/** What the dashboard tells the wallet's preview page: which screen, in which styling, with which sample values. */
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
  /** Path of the style sheet, of an edited styling. */
  theme: string;
  successAnimation: "full" | "none";
  /** The word after "1-Click". */
  word: string;
  fields: Static<typeof PreviewFields>;
};

/** The preview page says that it listens. */
export const previewReady = "countersign-preview-ready";
