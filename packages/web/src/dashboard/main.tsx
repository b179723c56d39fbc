import "../ui/tokens.css";
import "../ui/base.css";
import "../ui/layout.css";
import "../ui/field.css";
import "./dashboard.css";
import "./parts.css";
import "./webhooks/webhooks-and-rules.css";
import "./start/start.css";
import "./reporting/reporting.css";
import "./overview/overview.css";
import { options, render } from "preact";
import { App } from "./app.tsx";

const root = document.getElementById("app");
if (root !== null) {
  root.replaceChildren();
  // No page needs it before the browser translates, so it is not part of the first load.
  void import("../ui/translation.ts").then(({ followTranslation }) => followTranslation(root, options));
  render(<App />, root);
}
