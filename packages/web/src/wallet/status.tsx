import { useLanguage } from "./language.tsx";

/** Announces that a call is running, and announces a problem at once. The field shows the problem as well. */
export function Status({ isBusy, trouble }: { isBusy: boolean; trouble: string | undefined }) {
  const { words } = useLanguage();
  return (
    <>
      <p class="status" role="status">
        {isBusy ? words.working : ""}
      </p>
      <Alert text={trouble} />
    </>
  );
}

/** Text for screen readers only, announced at once. */
export function Alert({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="hidden" role="alert">
      {text}
    </p>
  );
}

/** A problem that a screen shows, announced at once. */
export function Notice({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="notice" role="alert">
      {text}
    </p>
  );
}
