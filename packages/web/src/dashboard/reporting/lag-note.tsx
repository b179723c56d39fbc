import { api } from "../api.ts";
import { useLoad } from "../frame/page.tsx";

/** Tells how far the page lags, if a database replica answers it. */
export function LagNote() {
  const { state } = useLoad(() => api.readReportLag(), []);
  if (state.kind !== "ok" || state.value.lagMs === null) return null;
  const seconds = Math.round(state.value.lagMs / 1_000);
  const behind = seconds < 1 ? "less than a second" : seconds === 1 ? "1 second" : `${seconds} seconds`;
  return <p class="quiet">This page reads a copy of the data that is {behind} behind.</p>;
}
