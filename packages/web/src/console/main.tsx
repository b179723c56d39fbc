import "../ui/tokens.css";
import "../ui/base.css";
import "../ui/layout.css";
import "../ui/field.css";
import "../dashboard/dashboard.css";
import "../dashboard/parts.css";
import "../dashboard/start/start.css";
import "../dashboard/reporting/reporting.css";
import "./console.css";
import "./status.css";
import "./approvals.css";
import "./brand.css";
import "./people.css";
import "./sign-in.css";
import { render } from "preact";
import { App } from "./app.tsx";

const root = document.getElementById("app");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
