/**
 * Scenarios of the protocol's conformance suite that this server does not pass, with reasons. The suite expects a
 * server with tools, prompts and resources of given names, which a server for customers lacks. The test fails for an
 * unlisted failure, and for a listed scenario that passes.
 */

/** The reason why a scenario does not apply. Without `checks`, it covers all checks of the scenario. */
export interface Exception {
  readonly reason: string;
  readonly checks?: readonly string[];
}

const needs = (what: string): Exception => ({ reason: `needs ${what} of the suite's own server` });

const TOOL_SCENARIOS = {
  "tools-call-simple-text": needs("the tool test_simple_text"),
  "tools-call-image": needs("the tool test_image_content"),
  "tools-call-audio": needs("the tool test_audio_content"),
  "tools-call-embedded-resource": needs("the tool test_embedded_resource"),
  "tools-call-mixed-content": needs("the tool test_multiple_content_types"),
  "tools-call-error": needs("the tool test_error_handling"),
  "tools-call-with-progress": needs("the tool test_tool_with_progress"),
  "json-schema-2020-12": needs("the tool json_schema_2020_12_tool"),
};

const OTHER_SCENARIOS = {
  "completion-complete": needs("the prompt test_prompt_with_arguments"),
  "resources-read-text": needs("the resource test://static-text"),
  "resources-read-binary": needs("the resource test://static-binary"),
  "resources-templates-read": needs("the template test://template/{id}/data"),
  "prompts-get-simple": needs("the prompt test_simple_prompt"),
  "prompts-get-with-args": needs("the prompt test_prompt_with_arguments"),
  "prompts-get-embedded-resource": needs("the prompt test_prompt_with_embedded_resource"),
  "prompts-get-with-image": needs("the prompt test_prompt_with_image"),
};

/** No tool requests further input: an agent passes all arguments in one call. */
const asksBack = (tool: string): Exception => needs(`the tool ${tool}, which asks its client back,`);

const noTasks: Exception = {
  reason: "tasks are an optional extension: a pack is followed with get_pack, by any client",
};

export const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, Exception>>>> = {
  "2025-11-25": {
    ...TOOL_SCENARIOS,
    ...OTHER_SCENARIOS,
    "logging-set-level": {
      reason: "optional: the server has no capability for logging; its logs are the operator's",
    },
    "tools-call-with-logging": needs("the tool test_tool_with_logging"),
    "tools-call-sampling": asksBack("test_sampling"),
    "tools-call-elicitation": asksBack("test_elicitation"),
    "elicitation-sep1034-defaults": asksBack("test_elicitation_sep1034_defaults"),
    "elicitation-sep1330-enums": asksBack("test_elicitation_sep1330_enums"),
    "resources-subscribe": {
      reason: "optional: resources change with a deployment alone, so none can be subscribed to",
    },
    "resources-unsubscribe": {
      reason: "optional: resources change with a deployment alone, so none can be subscribed to",
    },
  },
  "2026-07-28": {
    ...TOOL_SCENARIOS,
    ...OTHER_SCENARIOS,
    "server-stateless": {
      ...needs("the tools test_missing_capability, test_streaming_elicitation and test_logging_tool"),
      checks: [
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
      ],
    },
    "input-required-result-basic-elicitation": asksBack("test_input_required_result_elicitation"),
    "input-required-result-basic-sampling": asksBack("test_input_required_result_sampling"),
    "input-required-result-basic-list-roots": asksBack("test_input_required_result_list_roots"),
    "input-required-result-request-state": asksBack("test_input_required_result_request_state"),
    "input-required-result-multiple-input-requests": asksBack("test_input_required_result_multiple_inputs"),
    "input-required-result-multi-round": asksBack("test_input_required_result_multi_round"),
    "input-required-result-non-tool-request": asksBack("test_input_required_result_prompt"),
    "input-required-result-result-type": asksBack("test_input_required_result_elicitation"),
    "input-required-result-tampered-state": asksBack("test_input_required_result_tampered_state"),
    "input-required-result-capability-check": asksBack("test_input_required_result_capabilities"),
    "http-custom-header-server-validation": {
      reason: "needs a tool with an x-mcp-header annotation; arguments here are in the body alone",
    },
    "tasks-lifecycle": noTasks,
    "tasks-capability-negotiation": noTasks,
    "tasks-wire-fields": noTasks,
    "tasks-request-state-removal": noTasks,
    "tasks-mrtr-input": noTasks,
    "tasks-request-headers": noTasks,
    "tasks-dispatch-and-envelope": noTasks,
    "tasks-required-task-error": noTasks,
    "tasks-mrtr-composition": noTasks,
  },
};
