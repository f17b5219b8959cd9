//! Finds elements of an XML document.

use roxmltree::Node;

/// The first child element with this name.
pub(super) fn child<'a, 'd>(node: Node<'a, 'd>, name: &str) -> Option<Node<'a, 'd>> {
    node.children().find(|child| child.has_tag_name(name))
}
