import type { ConsoleMe } from "@countersign/contract/console";

/** Props of every screen. */
export type ScreenProps = { me: ConsoleMe; reloadMe(): Promise<void> };
