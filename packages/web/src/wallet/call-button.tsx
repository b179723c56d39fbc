import type { ButtonHTMLAttributes } from "preact";

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled"> & {
  /** Replaces the label during the button's call. */
  busy?: string | undefined;
  /** Whether another button's call is running. */
  isHeld?: boolean;
};

/** A button for a call. It is blocked during calls, and keeps its focus and its size. */
export function CallButton({ busy, isHeld = false, children, onClick, ...rest }: Props) {
  const isBlocked = busy !== undefined || isHeld;
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isBlocked ? "true" : undefined}
      onClick={(event) => {
        if (isBlocked) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy === undefined ? (
        children
      ) : (
        <span class="doing">
          <span class="spin" aria-hidden="true" />
          {busy}
        </span>
      )}
    </button>
  );
}
