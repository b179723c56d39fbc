import "../ui/base.css";
import "../ui/layout.css";
import "../ui/field.css";
import "./dashboard.css";
import "./parts.css";
import "./webhooks/webhooks-and-rules.css";
import "./start/start.css";
import "./reporting/reporting.css";
import { render } from "preact";
import { App } from "./app.tsx";

const root = document.getElementById("app");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
